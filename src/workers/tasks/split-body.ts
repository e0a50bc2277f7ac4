/**
 * Cuts the data out of a large body, so that the gateway parses only the rest. It looks only at
 * brackets and quotes; the data is parsed where it is used.
 */
import { isUtf8 } from 'node:buffer';
import { EngineError } from '../../engine/index.js';
import type { SplitBody } from '../protocol.js';

/** Shorter values are left in place. */
const CUT_BYTES_MIN = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
/** This bit turns a bracket into a brace; no other byte becomes one. */
const BRACE_BIT = 0x20;
const CLOSE_BRACE = 0x7d;

/** The brackets around `data`: in a query, in a list of steps, and in steps with options. */
const PLACES = new Set(['{', '[{', '{[{']);
const DATA = Buffer.from('"data"');

/** Throws `data-malformed` if the body is not UTF-8, and `parameter-type` for a text that UTF-8 cannot have. */
export function splitBody(bytes: Uint8Array<ArrayBuffer>): SplitBody {
  if (!isUtf8(bytes)) throw new EngineError('data-malformed', 'The body is not valid UTF-8.');
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cuts: Uint8Array<ArrayBuffer>[] = [];
  const rest: Buffer[] = [];
  let taken = 0;
  for (const [start, end] of dataSpans(body)) {
    if (end - start < CUT_BYTES_MIN) continue;
    // No data begins with the first character of the mark.
    const mark = JSON.stringify(`\u0000${cuts.length}`);
    rest.push(body.subarray(taken, start), Buffer.from(mark));
    cuts.push(jsonTextOf(bytes.subarray(start, end)));
    taken = end;
  }
  rest.push(body.subarray(taken));
  return { text: Buffer.concat(rest).toString('utf8'), cuts };
}

/**
 * If the data is a string, its content is the JSON. Throws `parameter-type` for half a surrogate pair, which UTF-8 does not
 * have.
 */
function jsonTextOf(value: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (value[0] !== QUOTE) return value;
  const text = parsedText(Buffer.from(value).toString('utf8'));
  if (!/\p{Cs}/u.test(text)) return new TextEncoder().encode(text);
  throw new EngineError('parameter-type', HALF_PAIR, { place: 'data' });
}

const HALF_PAIR = 'The text of "data" has half a surrogate pair.';

function parsedText(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    throw new EngineError('data-malformed', 'The text of "data" is not well-formed.');
  }
}

/** The positions of those values of `data` that are texts, objects or lists. */
function* dataSpans(body: Buffer): Generator<readonly [start: number, end: number]> {
  let brackets = '';
  let at = 0;
  while (at < body.length) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE) {
      const end = endOfText(body, at);
      const value = PLACES.has(brackets) && isData(body, at, end) ? valueBehind(body, end) : -1;
      if (value < 0) {
        at = end;
        continue;
      }
      at = endOfValue(body, value);
      yield [value, at];
      continue;
    }
    const brace = byte | BRACE_BIT;
    if (brace === OPEN_BRACE) brackets += byte === OPEN_BRACE ? '{' : '[';
    else if (brace === CLOSE_BRACE) brackets = brackets.slice(0, -1);
    at += 1;
    // No data is nested deeper.
    if (brackets.length > 3) {
      at = endOfValue(body, at - 1);
      brackets = brackets.slice(0, -1);
    }
  }
}

function isData(body: Buffer, start: number, end: number): boolean {
  return end - start === DATA.length && body.compare(DATA, 0, DATA.length, start, end) === 0;
}

/** Where the value after a name begins; -1 if this is not a name, or its value is to stay. */
function valueBehind(body: Buffer, end: number): number {
  const colon = behindBlanks(body, end);
  if (body[colon] !== COLON) return -1;
  const value = behindBlanks(body, colon + 1);
  const first = body[value] ?? 0;
  return first === QUOTE || first === OPEN_BRACE || first === OPEN_BRACKET ? value : -1;
}

function behindBlanks(body: Buffer, start: number): number {
  let at = start;
  for (let byte = body[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; ) {
    at += 1;
    byte = body[at];
  }
  return at;
}

/** The index after a value that begins with a quote or a bracket. */
function endOfValue(body: Buffer, start: number): number {
  if (body[start] === QUOTE) return endOfText(body, start);
  let depth = 0;
  let at = start;
  while (at < body.length) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfText(body, at);
      continue;
    }
    at += 1;
    const brace = byte | BRACE_BIT;
    if (brace === OPEN_BRACE) depth += 1;
    else if (brace === CLOSE_BRACE && --depth === 0) return at;
  }
  return at;
}

/** The index after the quote that ends a string. */
function endOfText(body: Buffer, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = body.indexOf(QUOTE, at);
    if (quote < 0) return body.length;
    let escapes = 0;
    while (body[quote - 1 - escapes] === BACKSLASH) escapes += 1;
    at = quote + 1;
    if (escapes % 2 === 0) return at;
  }
}
