/**
 * Converts the bytes in which PostgreSQL sends a value to JSON. The result is the same as that of
 * `scalar-json`, but common values never become strings: numbers are copied, texts are escaped in
 * one pass, and dates are rearranged by position. Unusual values are converted through a string.
 */
import type { PropertyType } from '../schema/model.js';
import { type OutputBytes, utf8Bytes, wordText } from './output-bytes.js';
import { scalarEncoder } from '../values/scalar-json.js';

/** Writes the value in `bytes` from `start` to `end`. */
export type ByteEncoder = (out: OutputBytes, bytes: Uint8Array, start: number, end: number) => void;

/** Decodes UTF-8. The caller passes the runtime's decoder, because the engine has none. */
export type DecodeText = (bytes: Uint8Array, start: number, end: number) => string;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const SPACE = 0x20;
const LETTER_P = 0x50;
/** The size of a date and a time in quotes. */
const DATE_TIME_BYTES = 29;
const hexDigits = utf8Bytes('0123456789abcdef');
const trueBytes = utf8Bytes('true');
const falseBytes = utf8Bytes('false');
const midnight = wordText('T00:00:00.000Z"');
/** The letter after the backslash, for control characters that have one. */
const shortEscapes = new Map([
  [0x08, 0x62],
  [0x09, 0x74],
  [0x0a, 0x6e],
  [0x0c, 0x66],
  [0x0d, 0x72],
]);

/** The encoder of a column of this type; `isExact` as in `scalarEncoder`. */
export function byteEncoder(type: PropertyType, decode: DecodeText, isExact = false): ByteEncoder {
  const unusual = throughString(scalarEncoder(type, isExact), decode);
  switch (type) {
    case 'string':
    case 'any':
    case 'uuid':
    case 'binary':
    case 'inet':
    case 'xml':
      return writeText;
    case 'interval':
      return (out, bytes, start, end) => {
        if (bytes[start] === LETTER_P) writeText(out, bytes, start, end);
        else unusual(out, bytes, start, end);
      };
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
    default:
      return unusual;
  }
}

function throughString(encode: (text: string) => string, decode: DecodeText): ByteEncoder {
  return (out, bytes, start, end) => {
    const text = utf8Bytes(encode(decode(bytes, start, end)));
    out.copy(text, 0, text.length);
  };
}

/**
 * Writes a JSON string. Bytes from 0x80 on are already UTF-8. Four bytes are copied at a time until
 * one must be escaped.
 */
function writeText(out: OutputBytes, bytes: Uint8Array, start: number, end: number): void {
  const length = end - start;
  if (length > LONG_BYTES) return writeLongText(out, bytes, start, end);
  out.reserve(2 + length * 6);
  const target = out.bytes;
  target[out.length++] = QUOTE;
  const stop = end - 4;
  let from = start;
  if (stop >= from) {
    const source = viewOf(bytes);
    const { view } = out;
    let to = out.length;
    for (; from <= stop; from += 4, to += 4) {
      const word = source.getInt32(from, true);
      if (hasEscaped(word)) break;
      view.setInt32(to, word, true);
    }
    out.length = to;
  }
  writeRest(out, bytes, from, end);
}

/** Writes a text that may have escapes, and the quote after it. There must be room for it. */
function writeRest(out: OutputBytes, bytes: Uint8Array, start: number, end: number): void {
  const target = out.bytes;
  let at = out.length;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) target[at++] = byte;
    else at = writeEscaped(target, at, byte);
  }
  target[at++] = QUOTE;
  out.length = at;
}

/** Reserves no more room than necessary, because a string may have hundreds of megabytes. */
function writeLongText(out: OutputBytes, bytes: Uint8Array, start: number, end: number): void {
  let escaped = 0;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte < SPACE) escaped += shortEscapes.has(byte) ? 1 : 5;
    else if (byte === QUOTE || byte === BACKSLASH) escaped += 1;
  }
  out.reserve(2 + end - start + escaped);
  out.bytes[out.length++] = QUOTE;
  if (escaped === 0) out.copy(bytes, start, end);
  writeRest(out, bytes, escaped === 0 ? end : start, end);
}

/**
 * Whether one of four bytes is below 0x20, a quote or a backslash; rarely true although none is.
 */
function hasEscaped(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const found =
    ((word - 0x20202020) & ~word) |
    ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes);
  return (found & 0x80808080) !== 0;
}

/** Longer texts are written with little memory. */
const LONG_BYTES = 4096;
/** A view of more bytes is not kept, because it would keep them in memory. */
const KEPT_VIEW_BYTES_MAX = 1 << 20;
let lastBytes: Uint8Array = new Uint8Array();
let lastView = new DataView(lastBytes.buffer);

/** Consecutive rows usually share their buffer, so the last view is kept. */
function viewOf(bytes: Uint8Array): DataView {
  if (bytes === lastBytes) return lastView;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length > KEPT_VIEW_BYTES_MAX) return view;
  lastBytes = bytes;
  lastView = view;
  return view;
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

/**
 * Writes plain digits with at most one point. Returns false for anything else, and writes nothing
 * then.
 */
function writeNumber(out: OutputBytes, bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const length = end - first;
  if (length === 0 || (length > 1 && bytes[first] === ZERO && bytes[first + 1] !== POINT))
    return false;
  out.reserve(end - start);
  const target = out.bytes;
  const from = out.length + first - start;
  let at = from;
  let point = -1;
  for (let i = first; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    target[at++] = byte;
    if (byte >= ZERO && byte <= NINE) continue;
    if (byte !== POINT || point !== -1 || i === first || i === end - 1) return false;
    point = at;
  }
  if (point !== -1) {
    while (target[at - 1] === ZERO) at -= 1;
    if (at === point) at -= 1;
  }
  if (first === start) {
    out.length = at;
  } else if (at - from === 1 && target[from] === ZERO) {
    // Zero has no sign.
    target[out.length++] = ZERO;
  } else {
    target[out.length] = MINUS;
    out.length = at;
  }
  return true;
}

/** `YYYY-MM-DD` */
function isPlainDate(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 10 && bytes[start + 4] === MINUS && bytes[start + 7] === MINUS;
}

function writeDate(out: OutputBytes, bytes: Uint8Array, start: number): void {
  writeDay(out, bytes, start);
  out.words(midnight);
}

/** Writes a quote and `YYYY-MM-DD`, and reserves room for the rest. */
function writeDay(out: OutputBytes, bytes: Uint8Array, start: number): void {
  out.reserve(DATE_TIME_BYTES);
  const { view } = out;
  const source = viewOf(bytes);
  const at = out.length;
  view.setUint8(at, QUOTE);
  view.setInt32(at + 1, source.getInt32(start));
  view.setInt32(at + 5, source.getInt32(start + 4));
  view.setInt16(at + 9, source.getInt16(start + 8));
  out.length = at + 11;
}

/**
 * Writes `YYYY-MM-DD HH:MM:SS[.f…][+00]`. Returns false for anything else, and writes nothing then.
 */
function writeDateTime(out: OutputBytes, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 19 || bytes[start + 4] !== MINUS || bytes[start + 10] !== SPACE) return false;
  let fraction = start + 19;
  if (bytes[fraction] === POINT) {
    do fraction += 1;
    while (fraction < end && isDigit(bytes[fraction] ?? 0));
  }
  if (fraction !== end && !isUtcOffset(bytes, fraction, end)) return false;
  writeDay(out, bytes, start);
  const { view } = out;
  const source = viewOf(bytes);
  const at = out.length;
  view.setUint8(at, 0x54);
  view.setInt32(at + 1, source.getInt32(start + 11));
  view.setInt32(at + 5, source.getInt32(start + 15));
  view.setUint8(at + 9, POINT);
  const target = out.bytes;
  const digits = hasMicroseconds(bytes, start + 23, fraction) ? 6 : 3;
  for (let i = 0; i < digits; i += 1) {
    const digit = start + 20 + i;
    target[at + 10 + i] = digit < fraction ? (bytes[digit] ?? ZERO) : ZERO;
  }
  target[at + 10 + digits] = 0x5a;
  target[at + 11 + digits] = QUOTE;
  out.length = at + 12 + digits;
  return true;
}

/** Whether one of the digits after the milliseconds is not 0. */
function hasMicroseconds(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (bytes[i] !== ZERO) return true;
  return false;
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
  return byte >= ZERO && byte <= NINE;
}
