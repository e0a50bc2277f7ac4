import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LongReads, type Place, ShortActivity } from '../../../src/workers/execute/long-reads.js';

const LONG_MS = 60;

function makeReads(max: number): { reads: LongReads; activity: ShortActivity } {
  const activity = new ShortActivity(new SharedArrayBuffer(4));
  return { reads: new LongReads(max, activity), activity };
}

/** Whether a trial goes on whose statement began so many milliseconds ago. */
function goesOn(reads: LongReads, place: Place, ranMs: number, mayStop = true): boolean {
  const now = performance.now();
  return reads.mayGoOn(place, { startedAt: now - ranMs, now, mayStop });
}

async function runFor(reads: LongReads, ms: number): Promise<void> {
  const place = reads.enter(false);
  await sleep(ms);
  reads.leave(place);
}

test('any number of long reads runs while no short statement is answered', async () => {
  const { reads } = makeReads(0.5);
  const read = runFor(reads, 1);
  expect(reads.room).toBe(Number.POSITIVE_INFINITY);
  await read;
  expect(reads.room).toBe(Number.POSITIVE_INFINITY);
});

test('while short statements are answered, the maximum runs at a time, without pauses', async () => {
  const { reads, activity } = makeReads(2);
  activity.saw();
  const read = runFor(reads, LONG_MS);
  expect(reads.room).toBe(1);
  await read;
  activity.saw();
  expect(reads.room).toBe(2);
});

test('a worker that may run half a long read pauses after one for as long as it ran', async () => {
  const { reads, activity } = makeReads(0.5);
  const startedAt = performance.now();
  await runFor(reads, LONG_MS);
  activity.saw();
  expect(reads.room).toBe(0);
  while (reads.room === 0) {
    activity.saw();
    await sleep(1);
  }
  expect(reads.room).toBe(1);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2 * LONG_MS - 2);
});

test('a long read whose place was given back before its end causes a pause only once', async () => {
  const { reads, activity } = makeReads(0.5);
  activity.saw();
  const place = reads.enter(false);
  reads.leave(place);
  await sleep(LONG_MS);
  reads.leave(place);
  activity.saw();
  expect(reads.room).toBe(1);
});

test('a few trials run beside short reads, and one at a time after a long one', async () => {
  const { reads, activity } = makeReads(1);
  expect(reads.mayTry).toBe(true);
  activity.saw();
  const places = [1, 2, 3].map(() => reads.enter(true));
  expect(reads.mayTry).toBe(false);
  for (const place of places) reads.leave(place);
  expect([reads.mayTry, reads.room]).toEqual([true, 1]);
  const place = reads.enter(true);
  expect(goesOn(reads, place, 51)).toBe(true);
  expect([reads.mayTry, reads.room]).toEqual([true, 0]);
  reads.enter(true);
  expect(reads.mayTry).toBe(false);
});

test('a trial that takes long becomes a long read if there is room, and has to stop otherwise', () => {
  const { reads, activity } = makeReads(1);
  const [first, second] = [reads.enter(true), reads.enter(true)];
  expect(goesOn(reads, first, 1000)).toBe(true);
  activity.saw();
  expect(goesOn(reads, first, 49)).toBe(true);
  expect(reads.room).toBe(1);
  expect(goesOn(reads, first, 51)).toBe(true);
  expect(reads.room).toBe(0);
  expect(goesOn(reads, second, 49)).toBe(true);
  expect(goesOn(reads, second, 51)).toBe(false);
  reads.leave(second);
  expect(reads.room).toBe(0);
  expect(goesOn(reads, first, 1000)).toBe(true);
  reads.leave(first);
  expect(reads.room).toBe(1);
});

test('a trial that began long before a short statement was answered does not have to stop', () => {
  const { reads, activity } = makeReads(1);
  const [first, second] = [reads.enter(true), reads.enter(true)];
  activity.saw();
  expect(goesOn(reads, first, 1000)).toBe(true);
  expect(goesOn(reads, second, 1000)).toBe(true);
  expect(reads.room).toBe(0);
});

test('a trial that cannot wait again does not have to stop', () => {
  const { reads, activity } = makeReads(1);
  const [first, second] = [reads.enter(false), reads.enter(true)];
  activity.saw();
  expect(goesOn(reads, second, 60, false)).toBe(true);
  reads.leave(first);
  expect(reads.room).toBe(0);
  reads.leave(second);
  expect(reads.room).toBe(1);
});
