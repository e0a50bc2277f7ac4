import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LongReads, ShortActivity } from '../../../src/workers/execute/long-reads.js';

const LONG_MS = 60;

function makeReads(max: number): { reads: LongReads; activity: ShortActivity } {
  const activity = new ShortActivity(new SharedArrayBuffer(4));
  return { reads: new LongReads(max, activity), activity };
}

test('any number of long reads runs while no short statement is answered', async () => {
  const { reads } = makeReads(0.5);
  const read = reads.run(() => sleep(1));
  expect(reads.room).toBe(Number.POSITIVE_INFINITY);
  await read;
  expect(reads.room).toBe(Number.POSITIVE_INFINITY);
});

test('while short statements are answered, the maximum runs at a time, without pauses', async () => {
  const { reads, activity } = makeReads(2);
  activity.saw();
  const read = reads.run(() => sleep(LONG_MS));
  expect(reads.room).toBe(1);
  await read;
  activity.saw();
  expect(reads.room).toBe(2);
});

test('a worker that may run half a long read pauses after one for as long as it ran', async () => {
  const { reads, activity } = makeReads(0.5);
  const startedAt = performance.now();
  await reads.run(() => sleep(LONG_MS));
  activity.saw();
  expect(reads.room).toBe(0);
  while (reads.room === 0) {
    activity.saw();
    await sleep(1);
  }
  expect(reads.room).toBe(1);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2 * LONG_MS - 2);
});

test('an answer that is streamed takes no place, and causes no pause', async () => {
  const { reads, activity } = makeReads(0.5);
  activity.saw();
  await reads.run(async (leave) => {
    leave();
    await sleep(LONG_MS);
    activity.saw();
    expect(reads.room).toBe(1);
  });
  expect(reads.room).toBe(1);
});

test('a few reads of unknown plans run beside short ones, and no more than known ones after a long one', async () => {
  const { reads, activity } = makeReads(1);
  expect(reads.roomForUnknown).toBe(Number.POSITIVE_INFINITY);
  activity.saw();
  expect(reads.roomForUnknown).toBe(3);
  const running = [1, 2].map(() => reads.run(() => sleep(LONG_MS)));
  expect([reads.roomForUnknown, reads.room]).toEqual([1, 0]);
  reads.sawUnknown();
  expect(reads.roomForUnknown).toBe(0);
  await Promise.all(running);
  activity.saw();
  expect(reads.roomForUnknown).toBe(1);
});

test('reads that wait for a lock do not keep those of unknown plans waiting', async () => {
  const { reads, activity } = makeReads(1);
  let unlock = (): void => undefined;
  const locked = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  const running = [1, 2, 3].map(() => reads.run(() => locked));
  reads.sawUnknown();
  activity.saw();
  expect(reads.roomForUnknown).toBe(0);
  await sleep(2100);
  activity.saw();
  expect(reads.roomForUnknown).toBe(3);
  unlock();
  await Promise.all(running);
});
