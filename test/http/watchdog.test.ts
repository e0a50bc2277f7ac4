/** The watchdog ends workers that do not start. */
import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchWorkers } from '../../src/gateway/dispatcher/watchdog.js';
import { WorkerLink } from '../../src/gateway/dispatcher/worker-link.js';

it('a worker that does not start is ended after a minute, even if it has no requests', () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { port1 } = new MessageChannel();
  const reasons: Error[] = [];
  const end = (reason: Error) => void reasons.push(reason);
  const link = new WorkerLink(port1, new SharedArrayBuffer(64), { onReply: () => undefined, end });
  const watchdog = watchWorkers(
    { requestMsMax: 0, workerStallMs: 1000, observe: () => undefined },
    { links: [link], lastId: () => 0, pending: () => [], overdue: () => undefined },
  );
  vi.advanceTimersByTime(59_000);
  expect(reasons).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(reasons.at(0)?.message).toContain('took no message');
  watchdog.stop();
  link.close();
});
