/**
 * JSON on its way out as bytes: a buffer that grows, and the few ways in which it is written to. A
 * hot path (bench/micro, "rows"): plain loops, one buffer, no strings.
 */
export class OutputBytes {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Makes room for `size` more bytes: every write below takes room for granted. */
  reserve(size: number): void {
    const wanted = this.length + size;
    if (wanted <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(wanted, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
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
    this.length = 0;
    return taken;
  }
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
