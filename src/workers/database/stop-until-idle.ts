/** Repeats an interruption: one that reaches the server before its statement has no effect. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection.js';

/** How long the server may take before the connection is destroyed. */
export const REST_MS = 2000;

type Target = Pick<Connection, 'inFlight' | 'destroy'>;

/**
 * How long to wait for the first interruption to take effect; each further wait is twice as long.
 */
const AGAIN_MS = 50;
const POLL_MS = 2;

/**
 * Calls `interrupt`, which resolves when the server has handled it, until nothing is in flight.
 * Resolves after the last one, so that none hits a following statement. If nothing has ended for
 * {@link REST_MS}, the connection is destroyed.
 */
export async function stopUntilIdle(
  connection: Target,
  interrupt: () => Promise<void>,
): Promise<void> {
  const timer = setTimeout(() => connection.destroy(), REST_MS);
  let againMs = AGAIN_MS;
  while (connection.inFlight > 0) {
    const before = connection.inFlight;
    await interrupt();
    await fewerWithin(connection, before, againMs);
    // Each interruption ends one statement; those after it get their own time.
    if (connection.inFlight < before) {
      againMs = AGAIN_MS;
      timer.refresh();
    } else againMs *= 2;
  }
  clearTimeout(timer);
}

async function fewerWithin(connection: Target, before: number, timeMs: number): Promise<void> {
  const until = performance.now() + timeMs;
  while (connection.inFlight >= before && performance.now() < until) await sleep(POLL_MS);
}
