/**
 * Compiles the writer from the bytes of rows to CSV (RFC 4180): a header, CRLF at the end of each
 * line, null as an empty field, and the empty text as `""`. Numbers, booleans and dates are written
 * as in JSON, without quotes. Texts are not changed, so a spreadsheet may interpret one that begins
 * with `=` as a formula.
 */
import type { StatementPlan } from '../compiled-query.js';
import { invariant } from '../errors.js';
import { isArray } from '../schema/array-types.js';
import type { ArrayType, PropertyType } from '../schema/model.js';
import { type ByteFrame, type ByteWriter, writeValues } from './byte-writer.js';
import { computedFields } from './computed-fields.js';
import type { Cipher } from '../values/evaluate/capabilities.js';
import { type OutputBytes, utf8Bytes, wordText } from './output-bytes.js';
import { type ByteEncoder, byteEncoder, type DecodeText } from './scalar-bytes.js';
import { scalarEncoder } from '../values/scalar-json.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** The first byte of `null`, with which no other JSON value begins. */
const NULL_BYTE = 0x6e;

const nothing = new Uint8Array();
const nullBytes = utf8Bytes('null');
const lineEnd = utf8Bytes('\r\n');
const comma = wordText(',');
const empty = wordText('');

/** Compiles the writer of a statement without includes. */
export function createCsvWriter(
  statement: StatementPlan,
  decode: DecodeText,
  cipher: Cipher,
): ByteWriter {
  invariant(statement.includes.length === 0, 'CSV cannot contain included rows');
  const values = statement.columns.filter(({ role }) => role === 'value');
  const encoders = values.map(({ type, isJson }) =>
    isJson || type === 'json' ? jsonEncoder(decode) : csvEncoder(type, decode),
  );
  const prefixes = values.map((_, index) => (index === 0 ? empty : comma));
  const fieldOf = computedFields(values, decode, cipher);
  const writers = { prefixes, encoders, absent: empty, fieldOf };
  return {
    statement,
    includes: [],
    frame: frameOf(values.map(({ name }) => name)),
    row: (out, { rows }, row) => {
      writeValues(out, rows, row, writers);
      out.constant(lineEnd);
    },
  };
}

function frameOf(names: readonly string[]): ByteFrame {
  const header = utf8Bytes(`${names.map(nameField).join(',')}\r\n`);
  return { open: header, separator: nothing, close: nothing, empty: header };
}

function nameField(name: string): string {
  return /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

function csvEncoder(type: PropertyType, decode: DecodeText): ByteEncoder {
  if (isArray(type)) return arrayEncoder(type, decode);
  if (type === 'string' || type === 'any') return writeText;
  const writeJson = byteEncoder(type, decode);
  return (out, bytes, start, end) => {
    const from = out.length;
    writeJson(out, bytes, start, end);
    const first = out.bytes[from];
    if (first === NULL_BYTE) out.length = from;
    else if (first === QUOTE && !takeQuotesOff(out, from)) {
      out.length = from;
      writeText(out, bytes, start, end);
    }
  };
}

/**
 * A JSON string as its text, null as an empty field, and any other JSON value as it is, also a string with half a
 * surrogate pair, which UTF-8 does not have.
 */
function jsonEncoder(decode: DecodeText): ByteEncoder {
  return (out, bytes, start, end) => {
    if (isNull(bytes, start, end)) return;
    if (bytes[start] !== QUOTE) return writeText(out, bytes, start, end);
    const json = scalarEncoder('json')(decode(bytes, start, end));
    const text = String(JSON.parse(json));
    const field = utf8Bytes(text.isWellFormed() ? text : json);
    writeText(out, field, 0, field.length);
  };
}

/** A column of texts may have ones that are no JSON, such as `none`. */
function isNull(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start === nullBytes.length && nullBytes.every((byte, at) => bytes[start + at] === byte)
  );
}

/** An array as its JSON. */
function arrayEncoder(type: ArrayType, decode: DecodeText): ByteEncoder {
  const encode = scalarEncoder(type);
  return (out, bytes, start, end) => {
    const field = utf8Bytes(encode(decode(bytes, start, end)));
    writeText(out, field, 0, field.length);
  };
}

/** Removes the quotes of a JSON string; returns false if CSV needs quotes or the string has escapes. */
function takeQuotesOff(out: OutputBytes, from: number): boolean {
  const { bytes } = out;
  const last = out.length - 1;
  if (last === from + 1) return false;
  for (let i = from + 1; i < last; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte === BACKSLASH || byte === COMMA) return false;
    bytes[i - 1] = byte;
  }
  out.length = last - 1;
  return true;
}

/** Writes a string, in quotes if it is empty or contains a special byte. */
function writeText(out: OutputBytes, bytes: Uint8Array, start: number, end: number): void {
  if (start < end && isPlain(bytes, start, end)) out.copy(bytes, start, end);
  else writeQuoted(out, bytes, start, end);
}

function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte > COMMA) continue;
    if (byte === COMMA || byte === QUOTE || byte === LINE_FEED || byte === CARRIAGE_RETURN) {
      return false;
    }
  }
  return true;
}

function writeQuoted(out: OutputBytes, bytes: Uint8Array, start: number, end: number): void {
  out.reserve(2 + (end - start) * 2);
  const target = out.bytes;
  let at = out.length;
  target[at++] = QUOTE;
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    target[at++] = byte;
    if (byte === QUOTE) target[at++] = QUOTE;
  }
  target[at++] = QUOTE;
  out.length = at;
}
