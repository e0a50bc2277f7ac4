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

const broken = { ...refused, status: 500, failure: { code: 'internal', detail: 'A fault.' } };

test('at most 100 failures of a code are logged in a second, and the others are counted', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(5000);
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  const isCounted = (): boolean | undefined => logger.onlyCounts?.('queue-full');
  const fail = (request = refused): void => logger.observe({ kind: 'request', request });
  for (let count = 0; count < 99; count += 1) fail();
  expect([lines.length, isCounted()]).toEqual([99, false]);
  for (let count = 0; count < 501; count += 1) fail();
  expect([lines.length, isCounted()]).toEqual([100, true]);
  fail(broken);
  expect(lines.length).toBe(101);
  vi.advanceTimersByTime(1000);
  expect(isCounted()).toBe(false);
  fail();
  expect(lines.slice(100).map((line) => JSON.parse(line))).toMatchObject([
    { event: 'request', requestId: 'r', code: 'internal' },
    { event: 'requests-failed', count: 500 },
    { event: 'request', requestId: 'r', code: 'queue-full' },
  ]);
});
