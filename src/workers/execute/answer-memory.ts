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
  /** Where the answers that the gateway has not released begin and end, the oldest first. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** How many places were released. */
  #released: number;

  constructor(memory: SharedArrayBuffer) {
    this.#bytes = new Uint8Array(memory);
    this.#counter = new Int32Array(memory, 0, 1);
    this.#released = Atomics.load(this.#counter, 0);
  }

  /** Copies the output there, and returns where it begins; undefined if there is no room. */
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
    // The counter may overflow, as its difference does then.
    const count = (Atomics.load(this.#counter, 0) - this.#released) | 0;
    if (count === 0) return;
    this.#released = (this.#released + count) | 0;
    this.#starts.splice(0, count);
    this.#ends.splice(0, count);
  }

  /** Answers are in a row that may continue at the beginning; without any, it begins there. */
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
