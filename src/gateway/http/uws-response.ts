/** The response of uWebSockets.js as large answers use it, and the limit of a single write. */
import type { AnswerOwner } from './exchange.js';
import { Patience } from './patience.js';

/**
 * The most bytes to write in one cork. The library collects them in a buffer of 16 KiB, which it
 * sends at the end of the cork. A write that does not fit makes it send the buffer first. If the
 * socket then does not take the whole buffer, 20.41 keeps the rest of it but loses the bytes of
 * that write; only `tryEnd` reports this. This limit leaves 1 KiB for headers or chunk sizes.
 */
export const CORK_BYTES_MAX = 15_000;

/** The members of the library's response that large answers use. */
export interface UwsResponse {
  /** Sends everything that `work` writes together, after whatever the library has kept. */
  cork(work: () => void): unknown;
  /** Writes in any case. Returns whether the socket has taken everything from before this cork. */
  write(bytes: Uint8Array): boolean;
  /** Writes what the socket takes, or what fits in the cork. `bodyBytes`: the length of the whole answer. */
  tryEnd(bytes: Uint8Array, bodyBytes: number): [isTaken: boolean, isComplete: boolean];
  /** Ends a chunked answer. */
  end(): unknown;
  /** How many bytes `tryEnd` has accepted. */
  getWriteOffset(): number;
  /** Calls the handler when the socket accepts more after it was full. */
  onWritable(handler: () => boolean): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** The exchange that owns the response. */
export interface UwsAnswerOwner extends AnswerOwner {
  finish(): void;
}

/** Well below the library's limit, which it checks every four seconds. */
const INTERVAL_MS_MAX = 4000;

/**
 * Keeps the connection of a slow reader open. The library closes a connection when the system has
 * not reported the socket as writable for ten seconds. Linux reports that only when a third of its
 * buffer is free, for which a reader of 50 KB/s may need half a minute. Pausing and resuming the
 * response restarts the ten seconds and loses nothing. `trial` writes something: the socket may
 * accept it long before the system reports it as writable.
 */
export function uwsPatience(response: UwsResponse, owner: AnswerOwner, trial: () => void) {
  const look = (): void => {
    if (!owner.isAnswering) return patience.end();
    response.pause();
    response.resume();
    trial();
  };
  const patience = new Patience(owner, look, INTERVAL_MS_MAX);
  return patience;
}
