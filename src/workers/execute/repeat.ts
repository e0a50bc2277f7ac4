/** Writes and transactions that were rolled back, but may succeed when they run again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceError } from '../database/source-error.js';

/**
 * Whether a failure is worth another attempt: changed tables once, even if conflicts are not retried, and
 * conflicts with other transactions `retries` times. `attempt` counts from 0.
 */
export function mayRepeat(error: unknown, attempt: number, retries: number): boolean {
  if (!(error instanceof SourceError)) return false;
  if (error.code === 'cached-plan-invalid') return attempt < Math.max(1, retries);
  return error.code === 'serialization-failure' && attempt < retries;
}

const PAUSE_FIRST_MS = 5;
const PAUSE_LAST_MS = 200;

/** Waits for a random time, so that the conflicting transactions do not collide again. */
export async function pauseBeforeRepeat(attempt: number): Promise<void> {
  const most = Math.min(PAUSE_FIRST_MS * 2 ** attempt, PAUSE_LAST_MS);
  await sleep(most * Math.random());
}
