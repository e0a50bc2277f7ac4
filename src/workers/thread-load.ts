/** How busy this thread is. */
import { readFileSync } from 'node:fs';

/** The share of a processor that the thread has used since the last call, from 0 to 1. */
export class ThreadLoad {
  #usedMs = usedMs();
  #readAt = performance.now();

  take(): number {
    const used = usedMs();
    const now = performance.now();
    const share = (used - this.#usedMs) / (now - this.#readAt);
    this.#usedMs = used;
    this.#readAt = now;
    return Math.max(0, Math.min(1, share));
  }
}

/**
 * The processor time of this thread, in milliseconds. Where the system does not tell it, the time in which the
 * event loop was not idle, which includes waiting for a processor.
 */
function usedMs(): number {
  try {
    return Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'latin1'), 10) / 1e6;
  } catch {
    return performance.eventLoopUtilization().active;
  }
}
