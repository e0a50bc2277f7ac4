/**
 * From the bytes in which PostgreSQL sends a value to those of its JSON: the same result as
 * `scalar-json`, for rows that never become strings. Numbers are copied, texts escaped in one pass,
 * dates re-shaped by position; what is unusual takes the way through a string.
 */
import type { PropertyType } from '../schema/model.js';
import { type OutputBytes, utf8Bytes } from './output-bytes.js';
import { scalarEncoder } from './scalar-json.js';

/** Writes the value that stands in `bytes` from `start` to `end`. */
export type ByteEncoder = (out: OutputBytes, bytes: Uint8Array, start: number, end: number) => void;

/** Reads UTF-8; what the runtime has for it is handed in, the engine itself has none. */
export type DecodeText = (bytes: Uint8Array, start: number, end: number) => string;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const SPACE = 0x20;
const hexDigits = utf8Bytes('0123456789abcdef');
const trueBytes = utf8Bytes('true');
const falseBytes = utf8Bytes('false');
const midnight = utf8Bytes('T00:00:00.000Z"');
/** The letter behind the backslash, for the controls that have one. */
const shortEscapes = new Map([
  [0x08, 0x62],
  [0x09, 0x74],
  [0x0a, 0x6e],
  [0x0c, 0x66],
  [0x0d, 0x72],
]);

/** The encoder of a column of this type. */
export function byteEncoder(type: PropertyType, decode: DecodeText): ByteEncoder {
  const unusual = throughString(scalarEncoder(type), decode);
  switch (type) {
    case 'string':
    case 'any':
      return writeText;
    case 'integer':
    case 'decimal':
    case 'number':
      return (out, bytes, start, end) => {
        if (!writeNumber(out, bytes, start, end)) unusual(out, bytes, start, end);
      };
    case 'boolean':
      return (out, bytes, start, end) => {
        if (end - start !== 1) unusual(out, bytes, start, end);
        else out.constant(bytes[start] === 0x74 || bytes[start] === 0x31 ? trueBytes : falseBytes);
      };
    case 'date':
      return (out, bytes, start, end) => {
        if (isPlainDate(bytes, start, end)) writeDate(out, bytes, start);
        else unusual(out, bytes, start, end);
      };
    case 'dateTime':
      return (out, bytes, start, end) => {
        if (!writeDateTime(out, bytes, start, end)) unusual(out, bytes, start, end);
      };
    case 'time':
      return unusual;
  }
}

function throughString(encode: (text: string) => string, decode: DecodeText): ByteEncoder {
  return (out, bytes, start, end) => out.constant(utf8Bytes(encode(decode(bytes, start, end))));
}

/** A JSON string: bytes from 0x80 on are UTF-8 already. */
function writeText(out: OutputBytes, bytes: Uint8Array, start: number, end: number): void {
  out.reserve(2 + (end - start) * 6);
  const target = out.bytes;
  let at = out.length;
  target[at++] = QUOTE;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) target[at++] = byte;
    else at = writeEscaped(target, at, byte);
  }
  target[at++] = QUOTE;
  out.length = at;
}

function writeEscaped(target: Uint8Array, start: number, byte: number): number {
  let at = start;
  target[at++] = BACKSLASH;
  const short = byte === QUOTE || byte === BACKSLASH ? byte : shortEscapes.get(byte);
  if (short !== undefined) {
    target[at++] = short;
    return at;
  }
  target[at++] = 0x75;
  target[at++] = ZERO;
  target[at++] = ZERO;
  target[at++] = hexDigits[byte >> 4] ?? 0;
  target[at++] = hexDigits[byte & 15] ?? 0;
  return at;
}

/** Plain digits with at most one point; false for all else, which nothing was written of. */
function writeNumber(out: OutputBytes, bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const length = end - first;
  if (length === 0 || (length > 1 && bytes[first] === ZERO && bytes[first + 1] !== POINT))
    return false;
  let point = -1;
  for (let i = first; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte >= ZERO && byte <= 0x39) continue;
    if (byte !== POINT || point !== -1 || i === first || i === end - 1) return false;
    point = i;
  }
  let stop = end;
  if (point !== -1) {
    while (bytes[stop - 1] === ZERO) stop -= 1;
    if (stop - 1 === point) stop = point;
  }
  const isZero = stop - first === 1 && bytes[first] === ZERO;
  out.copy(bytes, isZero ? first : start, stop);
  return true;
}

/** `YYYY-MM-DD` */
function isPlainDate(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 10 && bytes[start + 4] === MINUS && bytes[start + 7] === MINUS;
}

function writeDate(out: OutputBytes, bytes: Uint8Array, start: number): void {
  out.reserve(1);
  out.bytes[out.length++] = QUOTE;
  out.copy(bytes, start, start + 10);
  out.constant(midnight);
}

/** `YYYY-MM-DD HH:MM:SS[.f…][+00]`; false for all else, which nothing was written of. */
function writeDateTime(out: OutputBytes, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 19 || bytes[start + 4] !== MINUS || bytes[start + 10] !== SPACE) return false;
  let fraction = start + 19;
  if (bytes[fraction] === POINT) {
    do fraction += 1;
    while (fraction < end && isDigit(bytes[fraction] ?? 0));
  }
  if (fraction !== end && !isUtcOffset(bytes, fraction, end)) return false;
  out.reserve(26);
  out.bytes[out.length++] = QUOTE;
  out.copy(bytes, start, start + 10);
  out.bytes[out.length++] = 0x54;
  out.copy(bytes, start + 11, start + 19);
  out.bytes[out.length++] = POINT;
  for (let i = start + 20; i < start + 23; i += 1) {
    out.bytes[out.length++] = i < fraction ? (bytes[i] ?? ZERO) : ZERO;
  }
  out.bytes[out.length++] = 0x5a;
  out.bytes[out.length++] = QUOTE;
  return true;
}

function isUtcOffset(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start === 3 &&
    bytes[start] === 0x2b &&
    bytes[start + 1] === ZERO &&
    bytes[start + 2] === ZERO
  );
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39;
}
