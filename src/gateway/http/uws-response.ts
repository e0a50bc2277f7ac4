/** A response of uWebSockets.js as large answers use it, and what may be written to it at once. */
import type { AnswerOwner } from './exchange.js';
import { Patience } from './patience.js';

/**
 * The library gathers what is written in a cork in a buffer of 16 KiB, and sends it at the end of the
 * cork. A write that does not fit makes it send the buffer first; when the socket does not take all of
 * that, 20.41 keeps the rest of the buffer, but forgets the bytes of that very write, unless it was
 * `tryEnd`, which tells. So a cork is never given more than this, which leaves 1 KiB for a head, or for
 * the sizes of chunks.
 */
export const CORK_BYTES_MAX = 15_000;

/** What large answers need of a response of the library. */
export interface UwsResponse {
  /** What is written meanwhile is sent together; before it, whatever the library has kept. */
  cork(work: () => void): unknown;
  /** Writes a chunk in any case; tells whether the socket has taken all from before this cork. */
  write(bytes: Uint8Array): boolean;
  /** Writes what the socket takes, or what fits the cork, of an answer of so many bytes in all. */
  tryEnd(bytes: Uint8Array, bodyBytes: number): [isTaken: boolean, isComplete: boolean];
  /** Ends an answer in chunks. */
  end(): unknown;
  /** How many bytes `tryEnd` has taken. */
  getWriteOffset(): number;
  /** Calls the handler once the socket takes more, after it did not take all. */
  onWritable(handler: () => boolean): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** The side of the exchange that owns the response. */
export interface UwsAnswerOwner extends AnswerOwner {
  finished(): void;
}

/** Well below the library's limit, which it looks at every four seconds. */
const INTERVAL_MS_MAX = 4000;

/**
 * Keeps a connection for a reader that is slow. The library hangs up after ten seconds in which the
 * system did not call the socket writable, and Linux does that only once a third of its buffer is free:
 * a reader of 50 KB/s may need half a minute for so much. To pause and resume the response starts these
 * seconds anew, and loses nothing. `trial` writes something: the socket may take it long before the
 * system calls it writable.
 */
export function uwsPatience(response: UwsResponse, owner: AnswerOwner, trial: () => void) {
  const look = (): void => {
    if (!owner.isOpen()) {
      patience.end();
      return;
    }
    response.pause();
    response.resume();
    trial();
  };
  const { writeStallMs } = owner;
  const patience = new Patience({ writeStallMs, look, cut: () => owner.cut() }, INTERVAL_MS_MAX);
  return patience;
}
