/** Writes and transactions that were rolled back, but may succeed when they run again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cancellation } from '../cancellation.js';
import type { Context } from '../context.js';
import { SourceError } from '../database/source-error.js';

/**
 * Whether a failure is worth another attempt: changed tables once, even if conflicts are not retried, and
 * conflicts with other transactions `retries` times. `attempt` counts from 0.
 */
function mayRepeat(error: unknown, attempt: number, retries: number): boolean {
  if (!(error instanceof SourceError)) return false;
  if (error.code === 'cached-plan-invalid') return attempt < Math.max(1, retries);
  return error.code === 'serialization-failure' && attempt < retries;
}

/** How often and how long work may be repeated, and how what it has begun is undone. */
export interface Repetition {
  readonly cancellation: Cancellation;
  /** If `statementTimeoutMs` is 0, only the number of attempts is limited. */
  readonly settings: Pick<Context['settings'], 'statementTimeoutMs' | 'transactionRetries'>;
  readonly rollBack: () => Promise<void>;
  /** What an error of the work is due to. */
  readonly causeOf?: (error: unknown) => unknown;
}

/**
 * Runs work that commits at its end, again if {@link mayRepeat}. Waits for locks add up: all attempts together take at
 * most twice the limit of one.
 */
export async function repeatOnConflict<Result>(
  { cancellation, settings, rollBack, causeOf = (error) => error }: Repetition,
  work: () => Promise<Result>,
): Promise<Result> {
  const { statementTimeoutMs: limitMs, transactionRetries } = settings;
  const startedAt = performance.now();
  const isLate = () => limitMs > 0 && performance.now() - startedAt > limitMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (cancellation.isCancelled || isLate()) throw error;
      if (!mayRepeat(causeOf(error), attempt, transactionRetries)) throw error;
      await rollBack();
      await pauseBeforeRepeat(attempt);
    }
  }
}

const PAUSE_FIRST_MS = 5;
const PAUSE_LAST_MS = 200;

/** Waits for a random time, so that the conflicting transactions do not collide again. */
async function pauseBeforeRepeat(attempt: number): Promise<void> {
  const most = Math.min(PAUSE_FIRST_MS * 2 ** attempt, PAUSE_LAST_MS);
  await sleep(most * Math.random());
}
