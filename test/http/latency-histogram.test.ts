import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LatencyHistogram } from '../../src/gateway/statistics/latency-histogram.js';

const duration = fc.double({ min: 0.07, max: 60_000, noNaN: true });

test('a percentile is at least the exact one, and less than 20 % above it', () => {
  const share = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(duration, { minLength: 1 }), share, (durations, wanted) => {
      const histogram = new LatencyHistogram();
      for (const ms of durations) histogram.add(ms);
      const sorted = [...durations].sort((one, other) => one - other);
      const exact = sorted[Math.max(1, Math.ceil(wanted * sorted.length)) - 1] ?? 0;
      const found = histogram.percentile(wanted);
      expect(found).toBeGreaterThanOrEqual(exact * 0.999_999);
      expect(found).toBeLessThan(exact * 1.2);
    }),
  );
});

test('there is a line for each bucket from the shortest to the longest duration', () => {
  const histogram = new LatencyHistogram();
  expect(histogram.lines()).toEqual([]);
  for (const ms of [1, 1, 1, 1.3, 1.6]) histogram.add(ms);
  expect(histogram.lines()).toEqual([
    `      1.00 ms         3  60.0 % ${'█'.repeat(40)}`,
    '      1.19 ms         0   0.0 %',
    `      1.41 ms         1  20.0 % ${'█'.repeat(14)}`,
    `      1.68 ms         1  20.0 % ${'█'.repeat(14)}`,
  ]);
});
