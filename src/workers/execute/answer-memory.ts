/**
 * The memory in which a worker passes whole answers to the gateway. Buffers that change threads are
 * garbage in both, and V8 collects the whole heap each time that 64 MiB of them have been sent.
 */
import type { OutputBytes } from '../../engine/index.js';

/** The first bytes hold the counter: see `AttachTask`. */
const FIRST = 64;

export class AnswerMemory {
  readonly #bytes: Uint8Array<SharedArrayBuffer>;
  readonly #counter: Int32Array<SharedArrayBuffer>;
  /** The start and the end of each answer that the gateway has not released, the oldest first. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** The number of released answers. */
  #released: number;

  constructor(memory: SharedArrayBuffer) {
    this.#bytes = new Uint8Array(memory);
    this.#counter = new Int32Array(memory, 0, 1);
    this.#released = Atomics.load(this.#counter, 0);
  }

  /** Copies the output to the memory, and returns its start; undefined if there is no room. */
  put({ bytes, length }: OutputBytes): number | undefined {
    this.#takeReleased();
    const start = this.#placeOf(length);
    if (start === undefined) return undefined;
    this.#bytes.set(bytes.subarray(0, length), start);
    this.#starts.push(start);
    this.#ends.push(start + length);
    return start;
  }

  #takeReleased(): void {
    // The counter may overflow; the difference is right nevertheless.
    const count = (Atomics.load(this.#counter, 0) - this.#released) | 0;
    if (count === 0) return;
    this.#released = (this.#released + count) | 0;
    this.#starts.splice(0, count);
    this.#ends.splice(0, count);
  }

  /** Answers are consecutive, and continue at the beginning of the memory; the first one starts there. */
  #placeOf(length: number): number | undefined {
    const oldest = this.#starts[0];
    const end = this.#ends.at(-1);
    if (oldest === undefined || end === undefined) return this.#fits(FIRST, length);
    if (end <= oldest) return end + length < oldest ? end : undefined;
    return this.#fits(end, length) ?? (FIRST + length < oldest ? FIRST : undefined);
  }

  #fits(start: number, length: number): number | undefined {
    return start + length <= this.#bytes.length ? start : undefined;
  }
}
