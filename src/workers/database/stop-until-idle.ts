/**
 * Interruptions that are repeated until what they are meant for has ended: one that reaches the
 * server before its statement does is without effect there, so that a single one may be lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection.js';

/** What is to come to rest. */
type Target = Pick<Connection, 'inFlight' | 'destroy'>;

/** The first wait for an interruption to take effect; each further one is twice as long. */
const AGAIN_MS = 50;
const POLL_MS = 2;

/**
 * Calls `interrupt`, which resolves when the server has seen to it, until nothing is in flight.
 * Resolves after the last of them, so that it strikes nothing that follows. After `restMs` in
 * which nothing has ended the connection is destroyed.
 */
export async function stopUntilIdle(
  connection: Target,
  interrupt: () => Promise<void>,
  restMs: number,
): Promise<void> {
  const timer = setTimeout(() => connection.destroy(), restMs);
  let againMs = AGAIN_MS;
  while (connection.inFlight > 0) {
    const before = connection.inFlight;
    await interrupt();
    await fewerWithin(connection, before, againMs);
    // Each interruption ends one statement; those behind it have their own time.
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
