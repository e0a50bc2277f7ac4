/**
 * Decides how much of their streamed answers slow readers may leave in buffers. Thanks to the buffers, a
 * worker can finish a statement and reuse its connection before the reader has read all rows.
 */
import type { AnswerStream } from './http/exchange.js';

/** The share of the memory that one answer may use. */
const SHARE_OF_ONE = 1 / 4;

/** An answer that buffers the bytes that its reader has not read. */
export type Buffering = Pick<AnswerStream, 'waitingBytes'>;

export class StreamMemory {
  readonly #bytesMax: number;
  readonly #slowFrom: number;
  /** Answers that were slow when last checked. */
  readonly #slow = new Set<Buffering>();

  /** All answers may buffer `bytesMax`; a reader is slow from `slowFromBytes` of its answer on. */
  constructor(bytesMax: number, slowFromBytes: number) {
    this.#bytesMax = bytesMax;
    this.#slowFrom = slowFromBytes;
  }

  /** Whether the next part is to be buffered: the reader is slow, and there is memory. */
  takes(stream: Buffering): boolean {
    return stream.waitingBytes >= this.#slowFrom && this.#hasRoom(stream);
  }

  /** Whether an answer may buffer more: its reader is not slow, or there is memory. */
  mayBuffer(answer: Buffering): boolean {
    return answer.waitingBytes < this.#slowFrom || this.#hasRoom(answer);
  }

  #hasRoom(answer: Buffering): boolean {
    this.#slow.add(answer);
    this.forgetEnded();
    const waitingBytes = this.#waitingBytes();
    return answer.waitingBytes < this.#bytesMax * SHARE_OF_ONE && waitingBytes < this.#bytesMax;
  }

  /** Forgets the answers that are no longer slow. Otherwise they are kept until the next slow one. */
  forgetEnded(): void {
    for (const answer of this.#slow)
      if (answer.waitingBytes < this.#slowFrom) this.#slow.delete(answer);
  }

  #waitingBytes(): number {
    let sum = 0;
    for (const { waitingBytes } of this.#slow) sum += waitingBytes;
    return sum;
  }
}
