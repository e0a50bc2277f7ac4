/** Times that a busy machine does not change: what is measured is how long the program waits. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
/** The program's threads, the database and this process: each may wait for a processor as long as this one. */
const PARTIES = 3;

/**
 * The milliseconds that `work` takes, without those for which the machine had no processor to spare: a
 * timer of this process that fires late tells of them.
 */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const begin = performance.now();
  await work();
  const ms = performance.now() - begin;
  delay.disable();
  const lateMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
  return Math.max(0, ms - PARTIES * lateMs);
}
