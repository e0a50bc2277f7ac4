/**
 * Buffers what slow readers have not yet taken of streamed answers, up to a limit. The worker meanwhile
 * goes on with the rows, and its connection becomes free before the reader has read everything.
 */
import type { AnswerStream } from './http/exchange.js';

/** The part of the memory that one answer may use. */
const PART_OF_ONE = 1 / 4;

/** An answer that buffers what its reader has not taken. */
export type Buffering = Pick<AnswerStream, 'waitingBytes'>;

export class StreamMemory {
  readonly #bytesMax: number;
  readonly #slowFrom: number;
  /** Answers that were slow when last checked. */
  readonly #slow = new Set<Buffering>();

  /** A reader for whom fewer than `slowFromBytes` are waiting is not slow. */
  constructor(bytesMax: number, slowFromBytes: number) {
    this.#bytesMax = bytesMax;
    this.#slowFrom = slowFromBytes;
  }

  /** Whether to buffer the next part: its reader is slow, and there is memory for it. */
  takes(stream: Buffering): boolean {
    return stream.waitingBytes >= this.#slowFrom && this.#hasRoom(stream);
  }

  /** Whether an answer may buffer more: it buffers little, or there is memory for it. */
  mayBuffer(answer: Buffering): boolean {
    return answer.waitingBytes < this.#slowFrom || this.#hasRoom(answer);
  }

  #hasRoom(answer: Buffering): boolean {
    this.#slow.add(answer);
    const { waitingBytes } = answer;
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
