import { expect, it } from 'vitest';
import { untilSame } from '../../bench/measure/stand-still.js';

const LONGEST_MS = 10_000;

it('checks until it has seen the same state four times in a row', async () => {
  const sights = ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'c', 'c', 'd'];
  let looks = 0;
  await untilSame(() => sights[looks++] ?? '');
  expect(sights.slice(0, looks).join('')).toBe('aaabbcccc');
});

it('gives up if the state keeps changing', async () => {
  let looks = 0;
  const start = performance.now();
  await untilSame(() => String(looks++));
  expect(looks).toBeGreaterThan(4);
  expect(performance.now() - start).toBeLessThan(LONGEST_MS);
});
