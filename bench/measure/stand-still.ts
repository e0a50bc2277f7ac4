/** Waits until a database has finished its earlier work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, familyProcessorUs } from './process-table.js';

const POLL_MS = 30;
/** The number of consecutive checks that must find the same state. */
const LOOKS = 4;
/** A server also has work of its own, so the wait is limited. */
const WAIT_MS_MAX = 2000;

/**
 * Waits, for at most two seconds, until the processes of a server and their processor time stay the
 * same for a while. After a load, some server processes end a little later, and statements of
 * closed connections may still run; neither must affect the next measurement.
 */
export async function standStill(postmaster: number | undefined): Promise<void> {
  if (postmaster === undefined) return;
  await untilSame(() => [familyProcessorUs(postmaster), ...childrenOf(postmaster)].join(' '));
}

/** Checks until the same state was found several times in a row, for at most two seconds. */
export async function untilSame(look: () => string): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX;
  let last = look();
  for (let same = 1; same < LOOKS && performance.now() < deadline; ) {
    await sleep(POLL_MS);
    const now = look();
    same = now === last ? same + 1 : 1;
    last = now;
  }
}
