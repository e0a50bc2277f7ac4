import { expect, it } from 'vitest';
import { untilSame } from '../../bench/measure/stand-still.js';

const LONGEST_MS = 10_000;

it('looks until it has seen the same four times in a row', async () => {
  const sights = ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'c', 'c', 'd'];
  let looks = 0;
  await untilSame(() => sights[looks++] ?? '');
  expect(sights.slice(0, looks).join('')).toBe('aaabbcccc');
});

it('does not look for ever at what goes on changing', async () => {
  let looks = 0;
  const start = performance.now();
  await untilSame(() => String(looks++));
  expect(looks).toBeGreaterThan(4);
  expect(performance.now() - start).toBeLessThan(LONGEST_MS);
});
