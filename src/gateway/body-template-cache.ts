/**
 * Recognizes request bodies without parsing them. Most bodies repeat an earlier one except for the text of
 * `data`, so the bytes around that text are looked up among templates. A hot path (bench, "point" and "plans").
 */
import { isObject, jsonIn } from './json-value.js';
import type { QueryRequest } from './query-request.js';

/** The parts of a body that repeat. */
interface BodyTemplate {
  /** How many bytes precede the text of `data`, including its opening quote; without data, those of the whole body. */
  readonly start: number;
  /** The bytes after the text, from its closing quote on. */
  readonly tail: Uint8Array;
  readonly hasData: boolean;
  readonly key: QueryRequest['key'];
}

/** How many templates are kept. */
const TEMPLATES_MAX = 512;
/** How many templates may begin with the same bytes. */
const ALIKE_MAX = 16;
/** After `TEMPLATES_MAX` unknown bodies, only one of this many is learned. */
const LEARN_EVERY = 16;
const BODY_BYTES_MAX = 4096;
const PROBE = 'probe';
const SPACE = 0x20;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const DELETE = 0x7f;

export class BodyTemplateCache {
  /** Templates by the bytes before their `start`, with one character for each byte; the oldest come first. */
  readonly #templates = new Map<string, BodyTemplate[]>();
  #count = 0;
  #unknown = 0;

  /** The request that the parser would read from the body; undefined if no template matches. */
  find(bytes: Uint8Array): QueryRequest | undefined {
    // A list of queries has no template.
    if (bytes.length > BODY_BYTES_MAX || bytes[0] === BRACKET) return undefined;
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const start = startOfData(body);
    const alike = this.#templates.get(body.toString('latin1', 0, start));
    const template = alike?.find((each) => fits(bytes, each));
    return template && requestOf(bytes, template);
  }

  /** Learns a template from a parsed body. */
  learn(text: string, request: QueryRequest): void {
    this.#unknown += 1;
    const isDue = this.#unknown < TEMPLATES_MAX || this.#unknown % LEARN_EVERY === 0;
    if (!isDue || text.length > BODY_BYTES_MAX) return;
    const template = templateOf(text, request);
    if (!template) return;
    const head = Buffer.from(text).toString('latin1', 0, template.start);
    const alike = this.#templates.get(head) ?? [];
    if (alike.some(({ tail }) => Buffer.compare(tail, template.tail) === 0)) return;
    this.#templates.delete(head);
    this.#templates.set(head, [...alike.slice(1 - ALIKE_MAX), template]);
    if (alike.length < ALIKE_MAX) this.#count += 1;
    for (const [oldest, { length }] of this.#templates) {
      if (this.#count <= TEMPLATES_MAX) break;
      this.#templates.delete(oldest);
      this.#count -= length;
    }
  }
}

const MEMBER = Buffer.from('"data"');

/** The position of the text of `data`, after its quote; if there is none, the end of the body. */
function startOfData(body: Buffer): number {
  const member = body.lastIndexOf(MEMBER);
  if (member === -1) return body.length;
  let at = member + MEMBER.length;
  while (body[at] === SPACE || body[at] === COLON) at += 1;
  return body[at] === QUOTE ? at + 1 : body.length;
}

function templateOf(text: string, { key, data }: QueryRequest): BodyTemplate | undefined {
  if (data === undefined) {
    return { start: Buffer.byteLength(text), tail: new Uint8Array(), hasData: false, key };
  }
  const quoted = JSON.stringify(data);
  const start = text.lastIndexOf(quoted) + 1;
  const [head, tail] = [text.slice(0, start), text.slice(start + quoted.length - 2)];
  if (start === 0 || !isOnlyData(text, head, tail)) return undefined;
  const bytes = new Uint8Array(Buffer.from(tail));
  return { start: Buffer.byteLength(head), tail: bytes, hasData: true, key };
}

/** Whether the text between head and tail is exactly the value of `data`. */
function isOnlyData(text: string, head: string, tail: string): boolean {
  const [whole, probe] = [jsonIn(text), jsonIn(`${head}${PROBE}${tail}`)];
  if (!isObject(whole) || !isObject(probe) || probe['data'] !== PROBE) return false;
  return JSON.stringify({ ...whole, data: PROBE }) === JSON.stringify(probe);
}

/** Whether a body that begins like the template also ends like it. */
function fits(bytes: Uint8Array, { start, tail, hasData }: BodyTemplate): boolean {
  const end = bytes.length - tail.length;
  if (hasData ? end < start : end !== start) return false;
  for (let at = 0; at < tail.length; at += 1) if (bytes[end + at] !== tail[at]) return false;
  return true;
}

function requestOf(bytes: Uint8Array, { start, tail, hasData, key }: BodyTemplate) {
  if (!hasData) return { key, data: undefined };
  const data = plainText(bytes, start, bytes.length - tail.length);
  return data === undefined ? undefined : { key, data };
}

const unescaped = Buffer.alloc(BODY_BYTES_MAX);

/** The content of a JSON string whose only escapes are quotes, all of which are escaped. */
function plainText(bytes: Uint8Array, start: number, end: number): string | undefined {
  let length = 0;
  for (let at = start; at < end; at += 1) {
    let code = bytes[at] ?? 0;
    if (code === BACKSLASH) {
      at += 1;
      code = at < end ? (bytes[at] ?? 0) : 0;
      if (code !== QUOTE) return undefined;
    } else if (code === QUOTE || code < SPACE || code >= DELETE) {
      return undefined;
    }
    unescaped[length++] = code;
  }
  return length > JOINED_MAX ? unescaped.toString('latin1', 0, length) : joined(length);
}

const JOINED_MAX = 24;

/** For short texts this is faster than `Buffer.toString`. */
function joined(length: number): string {
  let text = '';
  for (let at = 0; at < length; at += 1) text += String.fromCharCode(unescaped[at] ?? 0);
  return text;
}
