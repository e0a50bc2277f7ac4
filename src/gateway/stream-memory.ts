/**
 * Buffers what slow readers have not yet taken of streamed answers, up to a limit. The worker meanwhile
 * goes on with the rows, and its connection becomes free before the reader has read everything.
 */
import type { AnswerStream } from './http/exchange.js';

/** The part of the memory that one answer may use. */
const PART_OF_ONE = 1 / 4;

export class StreamMemory {
  readonly #bytesMax: number;
  readonly #slowFrom: number;
  /** Streams that were slow when last checked. */
  readonly #slow = new Set<AnswerStream>();

  /** A reader for whom fewer than `slowFromBytes` are waiting is not slow. */
  constructor(bytesMax: number, slowFromBytes: number) {
    this.#bytesMax = bytesMax;
    this.#slowFrom = slowFromBytes;
  }

  /** Whether to buffer the next part: its reader is slow, and there is memory for it. */
  takes(stream: AnswerStream): boolean {
    const { waitingBytes } = stream;
    if (waitingBytes < this.#slowFrom) return false;
    this.#slow.add(stream);
    return waitingBytes < this.#bytesMax * PART_OF_ONE && this.#waitingBytes() < this.#bytesMax;
  }

  #waitingBytes(): number {
    let sum = 0;
    for (const stream of this.#slow) {
      const { waitingBytes } = stream;
      sum += waitingBytes;
      if (waitingBytes < this.#slowFrom) this.#slow.delete(stream);
    }
    return sum;
  }
}
