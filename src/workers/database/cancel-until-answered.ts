/**
 * Cancels that are repeated until what they are meant for has ended: one that reaches the server before
 * its statement does is without effect there, so that a single one may be lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** The first wait for a cancel to take effect; each further one is twice as long. */
const AGAIN_MS = 100;

/** What runs on a connection. */
export interface Underway {
  /** Whether the server owes an answer. */
  readonly isWaiting: boolean;
  /** Resolves when it has answered, well or not. */
  whenAnswered(): Promise<void>;
}

/**
 * Calls `cancel`, which resolves when the server has seen to it, until nothing runs any more. Resolves
 * after the last of them: it strikes nothing that follows. The caller bounds the time, by breaking off.
 */
export async function cancelUntilAnswered(
  cancel: () => Promise<void>,
  underway: Underway,
): Promise<void> {
  for (let againMs = AGAIN_MS; underway.isWaiting; againMs *= 2) {
    await cancel();
    if (underway.isWaiting) await answeredWithin(underway, againMs);
  }
}

async function answeredWithin(underway: Underway, timeMs: number): Promise<void> {
  const waited = new AbortController();
  const wait = sleep(timeMs, undefined, { signal: waited.signal }).catch(() => undefined);
  await Promise.race([underway.whenAnswered(), wait]);
  waited.abort();
}

/** Statements that a driver runs by itself, as promises. */
export class RunningStatements implements Underway {
  #count = 0;
  readonly #listeners: (() => void)[] = [];

  get isWaiting(): boolean {
    return this.#count > 0;
  }

  whenAnswered(): Promise<void> {
    if (!this.isWaiting) return Promise.resolve();
    return new Promise((resolve) => {
      this.#listeners.push(resolve);
    });
  }

  /** Counts a statement as running until it has ended. */
  async track<Result>(statement: Promise<Result>): Promise<Result> {
    this.#count += 1;
    try {
      return await statement;
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const listener of this.#listeners.splice(0)) listener();
    }
  }
}
