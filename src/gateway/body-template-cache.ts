/**
 * The bodies of most requests: like one that came before, but for the text of their data. They are
 * told byte by byte, without a parser. A hot path (bench, "point").
 */
import { isObject } from './http/body.js';
import type { QueryRequest } from './query-request.js';

/** What is the same in many bodies. */
interface BodyTemplate {
  /** Before the text of the data, its quote included; without data, the whole. */
  readonly head: Uint8Array;
  /** Behind it, from its quote on. */
  readonly tail: Uint8Array;
  readonly hasData: boolean;
  readonly key: QueryRequest['key'];
}

/** So many are kept: the same few queries come again and again. */
const MOULDS_MAX = 8;
/** Where bodies are of too many kinds, one of so many is learnt. */
const LEARN_EVERY = 16;
const BODY_BYTES_MAX = 4096;
const PROBE = 'probe';
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

export class BodyTemplateCache {
  readonly #moulds: BodyTemplate[] = [];
  #replaced = 0;
  #unknown = 0;

  /** What the parser would make of the body; undefined when it is not like one before. */
  find(bytes: Uint8Array): QueryRequest | undefined {
    for (const template of this.#moulds)
      if (fits(bytes, template)) return requestOf(bytes, template);
    return undefined;
  }

  /** Remembers what a body looks like that the parser has read. */
  learn(text: string, request: QueryRequest): void {
    this.#unknown += 1;
    const isDue = this.#unknown < MOULDS_MAX || this.#unknown % LEARN_EVERY === 0;
    if (!isDue || text.length > BODY_BYTES_MAX) return;
    const template = templateOf(text, request);
    if (!template || this.#moulds.some((each) => isSame(each, template))) return;
    this.#moulds[this.#replaced] = template;
    this.#replaced = (this.#replaced + 1) % MOULDS_MAX;
  }
}

function templateOf(text: string, { key, data }: QueryRequest): BodyTemplate | undefined {
  if (data === undefined) {
    return { head: bytesOf(text), tail: new Uint8Array(), hasData: false, key };
  }
  const quoted = JSON.stringify(data);
  const start = text.lastIndexOf(quoted) + 1;
  const [head, tail] = [text.slice(0, start), text.slice(start + quoted.length - 2)];
  if (start === 0 || !isOnlyData(text, head, tail)) return undefined;
  return { head: bytesOf(head), tail: bytesOf(tail), hasData: true, key };
}

/** Whether the data is what stands between, and nothing else depends on it. */
function isOnlyData(text: string, head: string, tail: string): boolean {
  const [whole, probe] = [parsed(text), parsed(`${head}${PROBE}${tail}`)];
  if (!isObject(whole) || !isObject(probe) || probe['data'] !== PROBE) return false;
  return JSON.stringify({ ...whole, data: PROBE }) === JSON.stringify(probe);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}

function isSame(a: BodyTemplate, b: BodyTemplate): boolean {
  const isLong = a.head.length === b.head.length && a.tail.length === b.tail.length;
  return isLong && Buffer.compare(a.head, b.head) === 0 && Buffer.compare(a.tail, b.tail) === 0;
}

function fits(bytes: Uint8Array, { head, tail, hasData }: BodyTemplate): boolean {
  const start = head.length;
  const end = bytes.length - tail.length;
  if (hasData ? end < start : end !== start) return false;
  if (end - start > BODY_BYTES_MAX) return false;
  // Heads begin alike: what tells them apart is nearer to their end.
  for (let at = start - 1; at >= 0; at -= 1) if (bytes[at] !== head[at]) return false;
  for (let at = 0; at < tail.length; at += 1) if (bytes[end + at] !== tail[at]) return false;
  return true;
}

function requestOf(bytes: Uint8Array, { head, tail, hasData, key }: BodyTemplate) {
  if (!hasData) return { key, data: undefined };
  const data = plainText(bytes, head.length, bytes.length - tail.length);
  return data === undefined ? undefined : { key, data };
}

const unescaped = Buffer.alloc(BODY_BYTES_MAX);

/** The text within quotes where quotes are the only things that are escaped, and all of them are. */
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

/** Of a short text, cheaper than a call of the library. */
function joined(length: number): string {
  let text = '';
  for (let at = 0; at < length; at += 1) text += String.fromCharCode(unescaped[at] ?? 0);
  return text;
}
