/** Questions to the database that requests do not wait for. */
import { createCancellation } from '../cancellation.js';
import type { Lease } from '../database/lease.js';
import type { LeaseOptions, Source } from '../database/source.js';
import { afterAnswers } from './after-answers.js';

/** In milliseconds. The database may be waiting for a lock, and requests must not wait for that. */
const PATIENCE_MS = 200;
/** How long a question that failed is not asked again. */
const RETRY_MS = 1000;

/** An answer of the database that is asked for when it is first used, and kept. */
export class LateAnswer<Value> {
  readonly #ask: () => Promise<Value | undefined>;
  #value: Value | undefined;
  /** By `performance.now()`. */
  #askAt = 0;

  /** If `ask` fails or resolves to undefined, it is called again after a while. */
  constructor(ask: () => Promise<Value | undefined>) {
    this.#ask = ask;
  }

  /** Undefined until it is known. */
  get value(): Value | undefined {
    if (this.#value === undefined && performance.now() >= this.#askAt) void this.#begin();
    return this.#value;
  }

  async #begin(): Promise<void> {
    this.#askAt = Number.POSITIVE_INFINITY;
    this.#value = await this.#ask().catch(() => undefined);
    this.#askAt = performance.now() + RETRY_MS;
  }
}

/** Asks on a connection of its own. Rejects if that takes too long. */
export async function askBeside<Result>(
  source: Source,
  ask: (lease: Lease) => Promise<Result>,
  options: Pick<LeaseOptions, 'mode'> = {},
): Promise<Result> {
  const cancellation = createCancellation();
  const timer = setTimeout(() => cancellation.cancel(), PATIENCE_MS);
  // In a queue of its own, it is one of the next to get a connection.
  const leasing = source.lease(cancellation, { ...options, flow: cancellation });
  const lease = await leasing.finally(() => clearTimeout(timer));
  const forget = afterAnswers(PATIENCE_MS, () => lease.cancel());
  try {
    return await ask(lease);
  } finally {
    forget();
    lease.release();
  }
}
