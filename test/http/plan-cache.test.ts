import { describe, expect, it } from 'vitest';
import type { CompileSink, Failure } from '../../src/gateway/dispatcher/sinks.js';
import { PlanCache, type PlanEntry, planKeyOf } from '../../src/gateway/plan-cache.js';
import { PlanRecord } from '../../src/gateway/statistics/plan-statistics.js';
import type { CompiledQuery } from '../../src/engine/index.js';
import { createTotals } from '../../src/gateway/statistics/totals.js';

interface Compiling {
  readonly key: string;
  readonly sink: CompileSink;
}

function createCache(bounds: { entriesMax?: number; bytesMax?: number; waitersMax?: number } = {}) {
  const compiling: Compiling[] = [];
  const evicted: number[] = [];
  const cache = new PlanCache({
    entriesMax: bounds.entriesMax ?? 100,
    bytesMax: bounds.bytesMax ?? 1_000_000,
    waitersMax: bounds.waitersMax ?? 100,
    totals: createTotals().plans,
    compile: ({ expression, stage, view }, sink) => {
      compiling.push({ key: JSON.stringify([expression, stage, view]), sink });
    },
    recordOf: (key) => new PlanRecord(key),
    onEvicted: (planId) => evicted.push(planId),
  });
  const got: (PlanEntry | Failure)[] = [];
  const obtain = (expression: string, stage = 'default', view = 'default') =>
    cache.obtain(planKeyOf(expression, stage, view), {
      planned: (entry) => got.push(entry),
      failed: (failure) => got.push(failure),
    });
  const finish = (bytes = 10) => compiling.shift()?.sink.compiled(planOf(bytes));
  return { cache, compiling, evicted, got, obtain, finish };
}

function planOf(bytes: number): CompiledQuery {
  const root: CompiledQuery['root'] = {
    entity: 'E',
    alias: 'e',
    position: { ln: 0, col: 0 },
    clause: 'select',
    source: 'default',
    dialect: 'PostgreSQL',
    text: '',
    columns: [],
    parameters: [],
    arguments: [],
    includes: [],
  };
  const stage = 'default';
  return {
    expression: '',
    stage,
    view: stage,
    root,
    entities: [],
    parameters: [],
    nullSensitive: [],
    numberSensitive: [],
    bytes,
  };
}

describe('the plan cache', () => {
  it('returns a known plan during the call', () => {
    const { obtain, finish, got, cache } = createCache();
    obtain('a');
    finish();
    obtain('a');
    expect(got).toHaveLength(2);
    expect(got[0]).toBe(got[1]);
    expect(cache.counters).toEqual({ hits: 1, misses: 1, evictions: 0, entries: 1, bytes: 10 });
  });

  it('compiles an expression once for all requests that wait for it', () => {
    const { obtain, finish, got, compiling } = createCache();
    for (let index = 0; index < 5; index++) obtain('a');
    expect(compiling).toHaveLength(1);
    finish();
    expect(new Set(got).size).toBe(1);
    expect(got).toHaveLength(5);
  });

  it('passes a failure to all waiting requests, and compiles again for the next one', () => {
    const { obtain, got, compiling } = createCache();
    obtain('a');
    obtain('a');
    const failure: Failure = { problem: { code: 'query-syntax', detail: 'no' } };
    compiling.shift()?.sink.failed(failure);
    expect(got).toEqual([failure, failure]);
    obtain('a');
    expect(compiling).toHaveLength(1);
  });

  it('never confuses expressions, stages and views', () => {
    const { obtain, compiling } = createCache();
    const triples = [
      ['a', 'default', 'default'],
      ['a', 'b', 'default'],
      ['a', 'default', 'b'],
      ['a', 'b', 'b'],
      ['\u00001:b7:defaulta', 'default', 'default'],
      ['b7:defaulta', '1:', 'default'],
      ['7:defaulta', 'b', ''],
      ['', 'b', '7:defaulta'],
      ['a', '', 'default'],
    ];
    for (const [expression = '', stage, view] of triples) obtain(expression, stage, view);
    expect(compiling.map(({ key }) => key)).toEqual(
      triples.map((triple) => JSON.stringify(triple)),
    );
  });

  it('is limited by entries, and reports which plan it has evicted', () => {
    const { obtain, finish, got, evicted, cache } = createCache({ entriesMax: 2 });
    for (const text of ['a', 'b', 'c']) {
      obtain(text);
      finish();
    }
    expect(evicted).toEqual([1]);
    expect(got.map((each) => 'planId' in each && each.isEvicted)).toEqual([true, false, false]);
    expect(cache.counters).toMatchObject({ entries: 2, evictions: 1 });
  });

  it('is limited by bytes', () => {
    const { obtain, finish, cache } = createCache({ bytesMax: 250 });
    for (const text of ['a', 'b', 'c']) {
      obtain(text);
      finish(100);
    }
    expect(cache.counters).toMatchObject({ entries: 2, bytes: 200 });
  });

  it('passes a plan that does not fit to the waiting requests, and reports that it is not cached', () => {
    const { obtain, finish, got, evicted, cache } = createCache({ bytesMax: 250 });
    obtain('a');
    obtain('a');
    finish(251);
    expect(got.map((each) => 'planId' in each && each.isEvicted)).toEqual([true, true]);
    expect(evicted).toEqual([1]);
    expect(cache.counters).toMatchObject({ entries: 0, bytes: 0 });
  });

  it('refuses requests if too many wait', () => {
    const { obtain, got } = createCache({ waitersMax: 2 });
    for (let index = 0; index < 3; index++) obtain('a');
    expect(got).toEqual([{ problem: expect.objectContaining({ code: 'queue-full' }) }]);
  });
});
