import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';
import { tables } from './batch-schema.js';
import { type BatchWorker, startBatchWorker } from './batch-worker.js';

const queries = [
  'Items.filter(p=>p.id==k).map(p=>[p.id,p.code])',
  'Items.filter(p=>p.small==k&&p.amount>x).sort(p=>p.id).map(p=>[p.id,p.amount])',
  'Items.filter(p=>p.makerId==k).sort(p=>p.id).include(p=>[p.parts,p.maker])',
];

interface Step {
  readonly plan: number;
  readonly data: { readonly k: number | null; readonly x: number };
  readonly pretty: boolean;
  /** Whether it is sent in one message with the previous request. */
  readonly isJoined: boolean;
  /** The delay before it is sent, in milliseconds. 0: in the same turn of the event loop. */
  readonly delayMs: number;
  readonly cancelled: 'never' | 'at once' | 'later';
}

/** The last value of `k` is too large for the column, and fails. */
const step: fc.Arbitrary<Step> = fc.record({
  plan: fc.nat(queries.length - 1),
  data: fc.record({
    k: fc.oneof({ weight: 12, arbitrary: fc.nat(15) }, fc.constantFrom(null, -1, 9_999_999_999)),
    x: fc.constantFrom(0, 1.25, 40),
  }),
  pretty: fc.boolean(),
  isJoined: fc.boolean(),
  delayMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3)),
  cancelled: fc.constantFrom('never', 'never', 'never', 'at once', 'later'),
});

let fixture: BatchFixture;
let together: BatchWorker;
let apart: BatchWorker;
/** For each worker, the plans of the queries. */
let plans: readonly [readonly number[], readonly number[]];
const expected = new Map<string, string>();
beforeAll(async () => {
  fixture = await startBatchFixture(tables);
  together = startBatchWorker(fixture.connection, { connectionsPerSource: 2 });
  apart = startBatchWorker(fixture.connection, { batching: 'off' });
  plans = [
    await Promise.all(queries.map((query) => together.prepare(query))),
    await Promise.all(queries.map((query) => apart.prepare(query))),
  ];
});
afterAll(async () => {
  await Promise.all([together.close(), apart.close()]);
  await fixture.stop();
});

test('however requests interleave, each that is not cancelled has one correct answer', async () => {
  let runs = 0;
  const steps = fc.array(step, { minLength: 20, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      await Promise.all(await run(given));
      expect(together.surplus).toBe(0);
      runs += 1;
    }),
    { numRuns: 60, interruptAfterTimeLimit: 12_000 },
  );
  // On a slow machine, the loop may end early.
  expect(runs).toBeGreaterThan(0);
  expect(together.counters.batches).toBeGreaterThan(runs / 4);
});

/** Sends the steps in order; resolves to the checks of their outcomes. */
async function run(steps: readonly Step[]): Promise<readonly Promise<void>[]> {
  const checks: Promise<void>[] = [];
  for (const message of messagesOf(steps)) {
    const delayMs = message[0]?.delayMs ?? 0;
    if (delayMs > 0) await sleep(delayMs);
    const asked = together.ask(
      message.map((each) => ({ ...each, plan: plans[0][each.plan] ?? 0 })),
    );
    for (const [index, { id, outcome }] of asked.entries()) {
      const each = message[index];
      if (!each) continue;
      if (each.cancelled === 'at once') together.cancel(id);
      if (each.cancelled === 'later') setImmediate(() => together.cancel(id));
      checks.push(check(each, outcome));
    }
  }
  return checks;
}

function messagesOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const messages: Step[][] = [];
  for (const each of steps) {
    const last = messages.at(-1);
    if (each.isJoined && last) last.push(each);
    else messages.push([each]);
  }
  return messages;
}

async function check(each: Step, outcome: Promise<string>): Promise<void> {
  const text = await outcome;
  if (each.cancelled !== 'never' && text.startsWith('! cancelled')) return;
  expect(text).toBe(await expectedOf(each));
}

async function expectedOf({ plan, data, pretty }: Step): Promise<string> {
  const key = JSON.stringify([plan, data, pretty]);
  const known = expected.get(key);
  if (known !== undefined) return known;
  const [text = ''] = await apart.outcomes([{ plan: plans[1][plan] ?? 0, data, pretty }]);
  expected.set(key, text);
  return text;
}
