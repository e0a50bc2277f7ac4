import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/gateway/logger.js';
import type { RequestObservation } from '../../src/gateway/observe.js';

afterEach(() => void vi.useRealTimers());

const refused: RequestObservation = {
  requestId: 'r',
  method: 'POST',
  path: '/execute',
  status: 503,
  durationMs: 1,
  address: '',
  traceparent: '',
  failure: { code: 'queue-full', detail: 'The queue is full.' },
};

test('at most 1000 failed requests are logged in a second, and the others are counted', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(5000);
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  const fail = (): void => logger.observe({ kind: 'request', request: refused });
  for (let count = 0; count < 999; count += 1) fail();
  expect([lines.length, logger.onlyCountsFailures]).toEqual([999, false]);
  for (let count = 0; count < 501; count += 1) fail();
  expect([lines.length, logger.onlyCountsFailures]).toEqual([1000, true]);
  vi.advanceTimersByTime(1000);
  expect(logger.onlyCountsFailures).toBe(false);
  fail();
  expect(lines.slice(1000).map((line) => JSON.parse(line))).toMatchObject([
    { event: 'requests-failed', count: 500 },
    { event: 'request', requestId: 'r', code: 'queue-full' },
  ]);
});
