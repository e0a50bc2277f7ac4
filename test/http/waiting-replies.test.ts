/** What becomes of replies that have arrived, but were not passed on yet. */
import { expect, test } from 'vitest';
import type { PlanEntry } from '../../src/gateway/plan-cache.js';
import { startDispatcher } from './start-dispatcher.js';
import { until } from './until.js';

const WRITES = 200;
/** So long that most answers still wait when the worker ends, or the time of a drain is over. */
const ANSWER_MS = 2;
const DRAIN_MS = 50;

// Nothing else of a plan is used.
const entry = { planId: 1, plan: { root: { write: {} } } } as unknown as PlanEntry;

function start(workers: number) {
  const dispatcher = startDispatcher('many-answers-worker.mjs', workers);
  const outcomes = new Map<string, number>();
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  /** Calls `then` when it is answered. */
  const write = (data?: string, then: () => void = () => undefined) => {
    const sink = {
      whole: () => {
        for (const end = performance.now() + ANSWER_MS; performance.now() < end; );
        count('answered');
        then();
      },
      part: () => undefined,
      failed: ({ problem }: { readonly problem: { readonly code: string } }) => {
        count(problem.code);
      },
    };
    dispatcher.execute({ entry, data, form: 'compact' }, sink);
  };
  return { dispatcher, outcomes, write };
}

test('if their worker ends, they are passed on, and what follows goes to another worker', async () => {
  const { outcomes, write } = start(2);
  for (let n = 1; n < WRITES; n += 1) write();
  write('end', () => write('more'));
  await until(() => sum(outcomes) > WRITES);
  expect([...outcomes]).toEqual([['answered', WRITES + 1]]);
});

test('writes whose answers have arrived are not cancelled at the end of a drain', async () => {
  const { dispatcher, outcomes, write } = start(1);
  for (let n = 1; n < WRITES; n += 1) write();
  write('all');
  await until(() => outcomes.size > 0);
  await dispatcher.close(DRAIN_MS);
  expect([...outcomes]).toEqual([['answered', WRITES]]);
});

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
