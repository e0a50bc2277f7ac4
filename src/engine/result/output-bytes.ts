/**
 * JSON on its way out as bytes: a buffer that grows, and the few ways in which it is written to. A
 * hot path (bench/micro, "rows"): plain loops, one buffer, no strings.
 */
export class OutputBytes {
  bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes, for writing several at once. */
  view: DataView<ArrayBuffer>;
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `size` more bytes: every write below takes room for granted. */
  reserve(size: number): void {
    const wanted = this.length + size;
    if (wanted > this.bytes.length) this.#grow(wanted);
  }

  /** By doubling while it is small: a value of many megabytes gets what it needs. */
  #grow(wanted: number): void {
    const { length } = this.bytes;
    const grown = new Uint8Array(Math.max(wanted, length + Math.min(length, GROWTH_MAX)));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  /** Writes a constant text that was made ready for it. */
  words({ words, length }: WordText): void {
    // The last word may be written past the end of the text.
    this.reserve(length + WORD_BYTES);
    const { view } = this;
    let at = this.length;
    for (let i = 0; i < words.length; i += 1, at += WORD_BYTES) {
      view.setFloat64(at, words[i] ?? 0, true);
    }
    this.length += length;
  }

  /** Writes a constant text of which the bytes are known. */
  constant(constant: Uint8Array): void {
    const { length } = constant;
    this.reserve(length);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < length; i += 1) bytes[at++] = constant[i] ?? 0;
    this.length = at;
  }

  /** Copies bytes as they are. */
  copy(from: Uint8Array, start: number, end: number): void {
    const size = end - start;
    this.reserve(size);
    if (size > LOOP_BYTES_MAX) {
      this.bytes.set(from.subarray(start, end), this.length);
      this.length += size;
      return;
    }
    const { bytes } = this;
    let at = this.length;
    for (let i = start; i < end; i += 1) bytes[at++] = from[i] ?? 0;
    this.length = at;
  }

  /** The bytes so far, as a piece of its own; writing begins anew. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  /** The bytes so far in the buffer in which they stand; writing begins anew in `next`. */
  handOver(next: ArrayBuffer): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.subarray(0, this.length);
    this.bytes = new Uint8Array(next);
    this.view = new DataView(next);
    this.length = 0;
    return taken;
  }
}

/** A constant text in words of eight bytes, which are written faster than its bytes. */
export interface WordText {
  readonly words: Float64Array;
  readonly length: number;
}

const WORD_BYTES = 8;
const GROWTH_MAX = 1 << 20;

/** No eight bytes of UTF-8 are a NaN, which might not be written as it stands. */
export function wordText(text: string): WordText {
  const bytes = utf8Bytes(text);
  const words = new Float64Array(Math.ceil(bytes.length / WORD_BYTES));
  const view = new DataView(words.buffer);
  for (const [index, byte] of bytes.entries()) view.setUint8(index, byte);
  // A word of the host may have another order of bytes than the one that is written.
  words.forEach((_, index) => (words[index] = view.getFloat64(index * WORD_BYTES, true)));
  return { words, length: bytes.length };
}

/** Longer pieces are copied by the runtime: measured, a loop is faster up to about here. */
const LOOP_BYTES_MAX = 48;

/** The UTF-8 bytes of a text. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) pushUtf8(bytes, character.codePointAt(0) ?? 0);
  return Uint8Array.from(bytes);
}

function pushUtf8(bytes: number[], code: number): void {
  if (code < 0x80) bytes.push(code);
  else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
  else if (code < 0x10000) {
    bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  } else {
    bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63));
    bytes.push(0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
}
