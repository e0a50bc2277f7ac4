/** The strings of a JSON text: where they end, and what they say. */
import { JsonFault, unexpected } from './json-fault.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Looks for the end of a string, whatever pieces it comes in. */
export class TextScan {
  /** Whether it is of ASCII and without escapes, as far as it was read. */
  isPlain = true;
  #isAfterBackslash = false;

  /** A string begins. */
  begin(): void {
    this.isPlain = true;
    this.#isAfterBackslash = false;
  }

  /** The index of the closing quote, or the length where it is not among them. */
  end(bytes: Uint8Array, from: number, offset: number): number {
    const { length } = bytes;
    for (let at = from; at < length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#isAfterBackslash) {
        if (!escapable.has(byte)) throw unexpected(offset + at);
        this.#isAfterBackslash = false;
      } else if (byte === QUOTE) {
        return at;
      } else if (byte === BACKSLASH) {
        this.#isAfterBackslash = true;
        this.isPlain = false;
      } else if (byte > 0x7e) {
        this.isPlain = false;
      } else if (byte < 0x20) {
        throw unexpected(offset + at);
      }
    }
    return length;
  }
}

const escapable = new Set(Buffer.from('"\\/bfnrtu'));

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What a string between its quotes says, `start` to `end`, with escapes or beyond ASCII. */
export function decodeText(bytes: Uint8Array, start: number, end: number, offset: number): string {
  const raw = bytes.subarray(start, end);
  const text = decodeUtf8(raw);
  if (!raw.includes(BACKSLASH)) return text;
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return String(value);
  } catch (error) {
    throw wrongEscape(raw, offset) ?? error;
  }
}

function decodeUtf8(raw: Uint8Array): string {
  try {
    return utf8.decode(raw);
  } catch (error) {
    throw new JsonFault('The document is not JSON in UTF-8.', { cause: error });
  }
}

/** The first `\u` without four hexadecimal digits; every other escape was seen to be right. */
function wrongEscape(raw: Uint8Array, offset: number): JsonFault | undefined {
  const text = Buffer.from(raw).toString('latin1');
  for (const { index, 0: escape } of text.matchAll(/\\(?:u[\da-fA-F]{0,4}|.)/gs)) {
    if (escape[1] === 'u' && escape.length < 6) return unexpected(offset + index + escape.length);
  }
  return undefined;
}

const SLOTS = 256;
const KEPT_LENGTH = 64;

interface KnownName {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Names that come again and again, as the same string each time. */
export class KnownNames {
  readonly #slots: (KnownName | undefined)[] = Array.from({ length: SLOTS }, () => undefined);

  /** The name of these ASCII bytes. */
  get(bytes: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length === 0 || length > KEPT_LENGTH) return bytes.toString('latin1', start, end);
    const slot = (length * 31 + (bytes[start] ?? 0) * 7 + (bytes[end - 1] ?? 0)) % SLOTS;
    const known = this.#slots[slot];
    if (known && isSame(known.bytes, bytes, start, length)) return known.text;
    const text = bytes.toString('latin1', start, end);
    this.#slots[slot] = { bytes: Uint8Array.from(bytes.subarray(start, end)), text };
    return text;
  }
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let at = 0; at < length; at += 1) if (known[at] !== bytes[start + at]) return false;
  return true;
}
