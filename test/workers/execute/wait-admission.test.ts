import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SourceError } from '../../../src/workers/database/source-error.js';
import { WaitAdmission } from '../../../src/workers/execute/wait-admission.js';
import { ReadyPlan } from '../../../src/workers/plans.js';

const WAIT_MS = 2000;
/** At this rate, a hundred writes are answered in half of the allowed wait. */
const EACH_MS = 10;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('writes that would wait too long are refused before they run, and others are not', async () => {
  const { add, answer } = database();
  expect(await add(1000)).toBe(1000);
  await answer(100);
  expect(await add(1)).toBe(0);
  await answer(850);
  // 50 are unanswered.
  expect(await add(49)).toBe(49);
  expect(await add(100)).toBeLessThan(3);
});

test('nothing is refused because few writes at a time were slow before', async () => {
  const { add, answer } = database();
  for (let n = 0; n < 100; n += 1) {
    await add(1);
    await answer(1, 100);
  }
  expect(await add(2000)).toBe(2000);
});

test('writes of a plan that has become fast again are not refused', async () => {
  const { add, answer } = database();
  await add(1000);
  await answer(1000, 100);
  expect(await add(1000)).toBe(1000);
});

test('writes are not refused any more if the plan becomes fast while others are waiting', async () => {
  const { add, answer } = database();
  await add(200);
  await answer(136, 100);
  expect(await add(1)).toBe(0);
  for (let n = 0; n < 2000; n += 1) {
    await answer(1, 1);
    await add(1);
  }
  expect(await add(200)).toBe(200);
});

test('writes that the database did not run do not count as answered', async () => {
  const { add, answer } = database();
  await add(2000);
  await answer(100);
  await answer(1000, 0, new SourceError('queue-timeout'));
  expect(await add(1)).toBe(0);
});

test('writes that take long are not refused while none is waiting for a connection', async () => {
  let isWaitedFor = false;
  const { add, answer } = database(() => isWaitedFor);
  await add(200);
  await answer(30, 100);
  expect(await add(100)).toBe(100);
  isWaitedFor = true;
  expect(await add(100)).toBe(0);
});

test('a refused write of one plan refuses none of another', async () => {
  const { admission, add, answer } = database();
  await add(1000);
  await answer(100);
  expect(await add(1)).toBe(0);
  const run = admission.run(somePlan(), always, () => Promise.resolve());
  await expect(run).resolves.toBeUndefined();
});

const always = () => true;

/** Writes of a plan, which are answered in their order. */
function database(isWaitedFor = always) {
  const admission = new WaitAdmission(WAIT_MS);
  const plan = somePlan();
  const waiting: ((error?: Error) => void)[] = [];
  const write = () =>
    new Promise<void>((resolve, reject) => {
      waiting.push((error) => (error ? reject(error) : resolve()));
    });
  return {
    admission,
    /** Adds writes, and resolves to how many of them run. */
    add: async (count: number): Promise<number> => {
      let refused = 0;
      for (let n = 0; n < count; n += 1) {
        admission.run(plan, isWaitedFor, write).catch((error: unknown) => {
          if (error instanceof SourceError && error.code === 'queue-full') refused += 1;
        });
      }
      await vi.advanceTimersByTimeAsync(0);
      return count - refused;
    },
    /** Answers the first writes, one after the other. */
    answer: async (count: number, eachMs = EACH_MS, error?: Error): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        await vi.advanceTimersByTimeAsync(eachMs);
        waiting.shift()?.(error);
      }
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

/** A plan that is only compared with others. */
function somePlan(): ReadyPlan {
  return Object.create(ReadyPlan.prototype);
}
