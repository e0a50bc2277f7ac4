import { expect, it } from 'vitest';
import { burstsOf, warmUp } from '../../bench/warm-up.js';

it.each([
  { seconds: 8, bursts: [2, 2, 2, 2] },
  { seconds: 2, bursts: [1, 1] },
  { seconds: 3, bursts: [2, 1] },
  { seconds: 7, bursts: [2, 2, 2, 1] },
  { seconds: 1, bursts: [1] },
])('warms up for $seconds seconds with loads of $bursts', ({ seconds, bursts }) => {
  expect(burstsOf(seconds)).toEqual(bursts);
});

it('gives every target the same loads, alternately', async () => {
  const runs: string[] = [];
  const contestant = (name: string) => ({
    run: async (seconds: number) => runs.push(`${name} ${seconds}`),
  });
  await warmUp([contestant('a'), contestant('b')], 3);
  expect(runs).toEqual(['a 2', 'b 2', 'a 1', 'b 1']);
});
