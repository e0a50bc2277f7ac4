/**
 * What slow readers have not yet taken of streamed answers, as far as memory takes it over: the worker
 * goes on with the rows meanwhile, and its connection is free before the reader has read to the end.
 */
import type { AnswerStream } from './http/exchange.js';

/** How much of one answer is taken over, as a part of what there is for all. */
const PART_OF_ONE = 1 / 4;

export class StreamMemory {
  readonly #bytesMax: number;
  readonly #slowFrom: number;
  /** Streams that were slow, until they are found to be so no more. */
  readonly #slow = new Set<AnswerStream>();

  /** A reader of whom less than `slowFromBytes` waits is not slow. */
  constructor(bytesMax: number, slowFromBytes: number) {
    this.#bytesMax = bytesMax;
    this.#slowFrom = slowFromBytes;
  }

  /** Whether the next part is taken over: its reader is slow, and there is memory for it. */
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
