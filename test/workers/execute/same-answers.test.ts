import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';
import { tables } from './batch-schema.js';
import { type Ask, type BatchWorker, startBatchWorker } from './batch-worker.js';
import { otherNumbers, type ReadCase, readCases } from './read-cases.js';

let fixture: BatchFixture;
let together: BatchWorker;
let apart: BatchWorker;
beforeAll(async () => {
  fixture = await startBatchFixture(tables);
  together = startBatchWorker(fixture.connection);
  apart = startBatchWorker(fixture.connection, { batching: 'off' });
});
afterAll(async () => {
  await Promise.all([together.close(), apart.close()]);
  await fixture.stop();
});

const sizes = [2, 3, 16, 64];

describe('requests that run together get the same answers as alone', () => {
  test.each(readCases)('$query', async ({ query, data }) => {
    const expected = await aloneOutcomes(query, data);
    for (const size of sizes) {
      const batch = requestsOf(size, data);
      const before = together.counters;
      expect(await together.outcomes(await asksOf(query, batch))).toEqual(
        batch.map((request) => expected.get(keyOf(request))),
      );
      const after = together.counters;
      expect(after.failed).toBe(before.failed);
      // Parameters that the plan does not expect need another plan, whose requests run alone.
      const batchable = batch.filter((request) => !makesOtherPlan(request)).length;
      expect(after.batched - before.batched).toBeGreaterThanOrEqual(batchable > 1 ? batchable : 0);
    }
    expect(together.surplus).toBe(0);
  });
});

const failingCases = readCases.filter(({ failing }) => failing !== undefined);

describe('a request that fails does not affect others', () => {
  test.each(failingCases)('$query', async ({ query, data, failing = {} }) => {
    const all = [failing, ...data];
    const expected = await aloneOutcomes(query, all);
    const failures = [...expected.values()].filter((outcome) => outcome.startsWith('!'));
    expect(failures).toHaveLength(2);
    for (const size of [2, 9, 40]) {
      const batch = requestsOf(size, all);
      const before = together.counters;
      expect(await together.outcomes(await asksOf(query, batch))).toEqual(
        batch.map((request) => expected.get(keyOf(request))),
      );
      expect(together.counters.failed - before.failed).toBe(1);
    }
    expect(together.surplus).toBe(0);
  });
});

describe('cancelled requests do not affect others in their batch', () => {
  test.each(readCases.filter((_, index) => index % 3 === 0))('$query', async ({ query, data }) => {
    const expected = await aloneOutcomes(query, data);
    const batch = requestsOf(32, data);
    const asked = together.ask(await asksOf(query, batch));
    together.cancel(...asked.filter((_, index) => index % 3 === 0).map(({ id }) => id));
    const outcomes = await Promise.all(asked.map(({ outcome }) => outcome));
    for (const [index, outcome] of outcomes.entries()) {
      const right = expected.get(keyOf(batch[index]));
      if (index % 3 > 0 || !outcome.startsWith('! cancelled')) expect(outcome).toBe(right);
    }
    expect(together.surplus).toBe(0);
  });
});

interface Request {
  readonly data: object;
  readonly pretty: boolean;
}

/** Equal and different requests, in both layouts. */
function requestsOf(size: number, data: ReadCase['data']): readonly Request[] {
  return Array.from({ length: size }, (_, index) => ({
    data: data[(index * 5 + (index >> 3)) % data.length] ?? {},
    pretty: index % 4 === 3,
  }));
}

/** The requests, for a separate plan. */
async function asksOf(query: string, requests: readonly Request[]): Promise<readonly Ask[]> {
  const plan = await together.prepare(query);
  return requests.map((request) => ({ plan, ...request }));
}

async function aloneOutcomes(query: string, data: ReadCase['data']): Promise<Map<string, string>> {
  const plan = await apart.prepare(query);
  const outcomes = new Map<string, string>();
  for (const request of data.flatMap((each) => layoutsOf(each))) {
    const [outcome = ''] = await apart.outcomes([{ plan, ...request }]);
    outcomes.set(keyOf(request), outcome);
  }
  return outcomes;
}

function layoutsOf(data: object): readonly Request[] {
  return [true, false].map((pretty) => ({ data, pretty }));
}

function keyOf(request: Request | undefined): string {
  return JSON.stringify(request);
}

function makesOtherPlan({ data }: Request): boolean {
  return Object.values(data).some((value) => value === null || otherNumbers.includes(value));
}
