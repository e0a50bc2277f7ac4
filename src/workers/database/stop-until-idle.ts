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
 * Resolves after the last of them, so that it strikes nothing that follows. After `restMs` the
 * connection is destroyed.
 */
export async function stopUntilIdle(
  connection: Target,
  interrupt: () => Promise<void>,
  restMs: number,
): Promise<void> {
  const timer = setTimeout(() => connection.destroy(), restMs);
  for (let againMs = AGAIN_MS; connection.inFlight > 0; againMs *= 2) {
    await interrupt();
    await idleWithin(connection, againMs);
  }
  clearTimeout(timer);
}

async function idleWithin(connection: Target, timeMs: number): Promise<void> {
  const until = performance.now() + timeMs;
  while (connection.inFlight > 0 && performance.now() < until) await sleep(POLL_MS);
}
