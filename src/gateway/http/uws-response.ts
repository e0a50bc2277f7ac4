/** A response of uWebSockets.js as large answers use it, and what may be written to it at once. */

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
export interface AnswerOwner {
  /** Whether the response may be touched, and its answer is not complete. */
  isOpen(): boolean;
  finished(): void;
  cut(): void;
  readonly writeStallMs: number;
}
