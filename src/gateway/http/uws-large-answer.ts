/**
 * Sends an answer of known length that may be more than a socket takes at once, without handing the
 * rest to uWebSockets.js: what `tryEnd` did not take is offered again, from the write offset on.
 */
import type { HttpResponse } from 'uWebSockets.js';
import { StallGuard } from './stall-guard.js';

/** The greatest piece that is offered to a socket at once. */
export const WRITE_BYTES_MAX = 64 * 1024;

/** The side of the exchange that owns the response. */
export interface LargeAnswerOwner {
  isOpen(): boolean;
  finished(): void;
  cut(): void;
  readonly writeStallMs: number;
}

/** Call it corked, with the head written. */
export function sendLargeAnswer(
  response: HttpResponse,
  bytes: Uint8Array,
  owner: LargeAnswerOwner,
): void {
  const base = response.getWriteOffset();
  const guard = new StallGuard(owner.writeStallMs, () => owner.cut());
  const offer = (offset: number): boolean => {
    if (!owner.isOpen()) {
      guard.stop();
      return true;
    }
    const [taken, complete] = response.tryEnd(bytes.subarray(offset - base), bytes.byteLength);
    if (complete) {
      guard.stop();
      owner.finished();
    } else {
      guard.start();
    }
    return taken;
  };
  response.onWritable(offer);
  offer(base);
}
