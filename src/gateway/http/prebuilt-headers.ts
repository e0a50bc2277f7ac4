/**
 * The headers of answers that differ only in their request id, prebuilt as bytes. A hot path
 * (bench, "point").
 */
import type { Header } from './exchange.js';

const RADIX = 36;
const ZERO = 0x30;
const LETTERS = 0x61 - 10;
/** The digits of the largest safe integer. */
const DIGITS_MAX = 11;

/** The text of a number in the header. */
export function numberText(value: number): string {
  return value.toString(RADIX);
}

export class PrebuiltHeaders {
  /** The name of the first header. */
  readonly name: Uint8Array;
  readonly #headers: readonly Header[];
  readonly #numbered: Header;
  readonly #bytes: Uint8Array;
  readonly #start: number;
  /** For each number of digits, the bytes up to the last digit. */
  readonly #views: readonly Uint8Array[];

  /**
   * `headers` has at least one element. `numbered` comes last, and the number is appended to its
   * value.
   */
  constructor(headers: readonly Header[], numbered: Header) {
    this.#headers = headers;
    this.#numbered = numbered;
    const all = [...headers, numbered];
    const text = all.map(([name, value]) => `${name}: ${value}`).join('\r\n');
    const [first = numbered] = headers;
    this.name = new Uint8Array(Buffer.from(first[0]));
    const fixed = Buffer.from(text.slice(first[0].length + 2));
    this.#start = fixed.length;
    this.#bytes = new Uint8Array(this.#start + DIGITS_MAX);
    this.#bytes.set(fixed);
    this.#views = Array.from({ length: DIGITS_MAX + 1 }, (_, digits) =>
      this.#bytes.subarray(0, this.#start + digits),
    );
  }

  /**
   * The bytes after the name of the first header and its colon, including the other headers. Valid
   * until the next call.
   */
  bytesFor(value: number): Uint8Array {
    let digits = 1;
    for (let rest = value; rest >= RADIX; rest = Math.floor(rest / RADIX)) digits += 1;
    let rest = value;
    for (let at = this.#start + digits - 1; at >= this.#start; at -= 1) {
      const digit = rest % RADIX;
      this.#bytes[at] = digit < 10 ? ZERO + digit : LETTERS + digit;
      rest = Math.floor(rest / RADIX);
    }
    return this.#views[digits] ?? this.#bytes;
  }

  headersFor(value: number): readonly Header[] {
    const [name, text] = this.#numbered;
    return [...this.#headers, [name, text + numberText(value)]];
  }
}
