/** Decodes a body as JSON. Checks the media type and the encoding. */
import { isUtf8 } from 'node:buffer';
import { Refusal } from '../errors.js';
import { isObject, kindOf } from '../json-value.js';
import type { RequestHeaders } from './exchange.js';

/** A body that is a JSON object, with its text. */
export interface JsonBody extends JsonValue {
  readonly value: Readonly<Record<string, unknown>>;
}

/** A body that is JSON, with its text. */
export interface JsonValue {
  readonly text: string;
  readonly value: unknown;
  /** The data that a placeholder stands for; undefined if the text is the data. Absent in small bodies. */
  readonly dataOf?: (text: string) => Uint8Array | undefined;
}

/** Requires the body to be an object. Throws a `Refusal`. */
export function asObject(body: JsonValue): JsonBody {
  if (isJsonBody(body)) return body;
  throw new Refusal('body-not-object', `The body is ${kindOf(body.value)}, not a JSON object.`);
}

function isJsonBody(body: JsonValue): body is JsonBody {
  return isObject(body.value);
}

/** Decodes a JSON body. Throws a `Refusal`. */
export function decodeJson(bytes: Uint8Array): JsonValue {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  // Invalid UTF-8 is decoded to U+FFFD, so without one the check can be skipped.
  if (text.includes('\ufffd') && !isUtf8(bytes)) {
    throw new Refusal('body-not-json', 'The body is not valid UTF-8.');
  }
  return { text, value: parseJson(text) };
}

/** Parses a JSON text. Throws a `Refusal`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : String(error);
    throw new Refusal('body-not-json', `The body is not JSON: ${why}`);
  }
}

const JSON_MEDIA = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;(.*))?$/is;
const OTHER_CHARSET = /charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$))/i;

/** Whether the headers announce uncompressed JSON in UTF-8; absent headers count as that. */
export function isPlainJson(headers: RequestHeaders): boolean {
  const coding = headers['content-encoding'];
  return isJsonMedia(headers['content-type']) && (coding === '' || IDENTITY.test(coding));
}

const IDENTITY = /^identity$/i;

/** Whether a content type is JSON in UTF-8; an absent one counts as that. */
export function isJsonMedia(contentType: string): boolean {
  if (contentType === '' || contentType === 'application/json') return true;
  const match = JSON_MEDIA.exec(contentType);
  return match !== null && !OTHER_CHARSET.test(match[1] ?? '');
}
