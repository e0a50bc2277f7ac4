/** Waiting until a database has done with what was asked of it before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, familyProcessorUs } from './process-table.js';

const POLL_MS = 30;
/** So many looks in a row must find the same. */
const LOOKS = 4;
/** A server has work of its own, too, and is not waited for when it goes on. */
const WAIT_MS_MAX = 2000;

/**
 * Waits, two seconds at most, until the processes of a server and their processor time are the same for
 * a while. The clients of a load that has ended leave processes behind that end a little later, and
 * connections that are cut statements that still run: both are no part of what is measured next.
 */
export async function standStill(postmaster: number | undefined): Promise<void> {
  if (postmaster === undefined) return;
  await untilSame(() => [familyProcessorUs(postmaster), ...childrenOf(postmaster)].join(' '));
}

/** Looks until it has seen the same so many times in a row, two seconds at most. */
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
