/**
 * A growing buffer for output, with the few operations that writers need. A hot path (bench/micro,
 * "rows"): plain loops, one buffer, no strings.
 */
export class OutputBytes {
  bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes, for writing several at once. */
  view: DataView<ArrayBuffer>;
  length = 0;

  /** `memory`: a buffer to write in, or the size of a new one. */
  constructor(memory: number | ArrayBuffer) {
    this.bytes = typeof memory === 'number' ? new Uint8Array(memory) : new Uint8Array(memory);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `size` more bytes, for callers that write to `bytes` or `view` themselves. */
  reserve(size: number): void {
    const wanted = this.length + size;
    if (wanted > this.bytes.length) this.#grow(wanted);
  }

  /** A small buffer doubles; a value of many megabytes gets the size that it needs. */
  #grow(wanted: number): void {
    const { length } = this.bytes;
    const grown = new Uint8Array(Math.max(wanted, length + Math.min(length, GROWTH_MAX)));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  /** Writes a constant text that was prepared for this. */
  words({ words, length }: WordText): void {
    // The last word may extend beyond the end of the text.
    this.reserve(length + WORD_BYTES);
    const { view } = this;
    let at = this.length;
    for (let i = 0; i < words.length; i += 1, at += WORD_BYTES) {
      view.setFloat64(at, words[i] ?? 0, true);
    }
    this.length += length;
  }

  /** Writes the bytes of a constant text. */
  constant(constant: Uint8Array): void {
    const { length } = constant;
    this.reserve(length);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < length; i += 1) bytes[at++] = constant[i] ?? 0;
    this.length = at;
  }

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

  /** Returns a copy of the bytes so far, and empties the buffer. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  /** Returns the bytes so far without copying them, and continues in the buffer of `next`, which is not used any more. */
  handOver(next: OutputBytes): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.subarray(0, this.length);
    this.bytes = next.bytes;
    this.view = next.view;
    this.length = 0;
    return taken;
  }
}

/** A constant text in words of eight bytes, which are faster to write than single bytes. */
export interface WordText {
  readonly words: Float64Array;
  readonly length: number;
}

const WORD_BYTES = 8;
const GROWTH_MAX = 1 << 20;

/** Eight bytes of UTF-8 are never a NaN, whose bits could change when it is written. */
export function wordText(text: string): WordText {
  const bytes = utf8Bytes(text);
  const words = new Float64Array(Math.ceil(bytes.length / WORD_BYTES));
  const view = new DataView(words.buffer);
  for (const [index, byte] of bytes.entries()) view.setUint8(index, byte);
  // The byte order of the machine may differ from that of the text.
  words.forEach((_, index) => (words[index] = view.getFloat64(index * WORD_BYTES, true)));
  return { words, length: bytes.length };
}

/**
 * Longer pieces are copied by the runtime; up to about this size, a loop was measured to be faster.
 */
const LOOP_BYTES_MAX = 48;

export function utf8Bytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.codePointAt(i) ?? 0;
    if (code < 0x80) {
      bytes[at++] = code;
      continue;
    }
    if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
    } else {
      if (code < 0x10000) {
        bytes[at++] = 0xe0 | (code >> 12);
      } else {
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 63);
        // The character has two UTF-16 units.
        i += 1;
      }
      bytes[at++] = 0x80 | ((code >> 6) & 63);
    }
    bytes[at++] = 0x80 | (code & 63);
  }
  return bytes;
}

/** How many bytes a text has in UTF-8. */
function utf8Length(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.codePointAt(i) ?? 0;
    if (code < 0x80) length += 1;
    else if (code < 0x800) length += 2;
    else if (code < 0x10000) length += 3;
    else {
      length += 4;
      i += 1;
    }
  }
  return length;
}
