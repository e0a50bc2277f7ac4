/** Measures how much memory plans take, and whether the limit of the cache limits the process. */
import type { CompiledQuery } from '../../dist/engine/index.js';
import { PlanCache, planKeyOf } from '../../dist/gateway/plan-cache.js';
import { PlanRecord } from '../../dist/gateway/statistics/plan-statistics.js';
import type { PlanCacheResult } from './result.js';
import { compileOnSample } from './sample-catalog.js';
import { createTotals } from '../../src/gateway/statistics/totals.js';

const FEW = 1000;
const MANY = 100_000;
const STEPS = 10;
const BYTES_MAX = 64 * 1024 * 1024;

export function benchPlanCache(): PlanCacheResult {
  return { ...weighFew(), ...fillWithMany() };
}

function weighFew() {
  const before = heapBytes();
  // As in the gateway, where a plan is a copy from another thread.
  const plans = Array.from({ length: FEW }, (_, index) => planOf(index));
  const heapBytesPerPlan = (heapBytes() - before) / plans.length;
  const counted = plans.reduce((total, plan) => total + plan.bytes, 0);
  return { heapBytesPerPlan, countedBytesPerPlan: counted / plans.length };
}

function fillWithMany() {
  const cache = new PlanCache({
    entriesMax: MANY,
    bytesMax: BYTES_MAX,
    waitersMax: 1,
    totals: createTotals().plans,
    compile: ({ expression }, sink) => sink.compiled(structuredClone(compileOnSample(expression))),
    recordOf: (key) => new PlanRecord(key),
    onEvicted: () => undefined,
  });
  const sink = { planned: () => undefined, failed: () => undefined };
  const residentBytes = [resident()];
  for (let index = 0; index < MANY; index += 1) {
    cache.obtain(planKeyOf(expressionOf(index), 'default', 'default'), sink);
    if ((index + 1) % (MANY / STEPS) === 0) residentBytes.push(resident());
  }
  return { kept: cache.counters.entries, residentBytes };
}

function planOf(index: number): CompiledQuery {
  return structuredClone(compileOnSample(expressionOf(index)));
}

function expressionOf(index: number): string {
  return `Orders.filter(p=>p.customerId==customerId && p.id>${index}).include(p=>p.details)`;
}

function resident(): number {
  collectGarbage();
  return process.memoryUsage.rss();
}

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('The micro-benchmarks need --expose-gc.');
  globalThis.gc();
}
