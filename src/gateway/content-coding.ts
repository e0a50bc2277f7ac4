/** The codings of compressed answers: which a client takes, and what compresses. */
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type BrotliOptions,
  type ZlibOptions,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import type { Header } from './http/exchange.js';
import { bestOf, readPreferences } from './http/qualities.js';

/** The codings, the cheaper one first: at these levels their bodies are of about the same size. */
const CODINGS = ['gzip', 'br'] as const;

export type Coding = (typeof CODINGS)[number];

/** A body of fewer bytes is sent as it is. */
export const CODED_BYTES_MIN = 1024;

/** Whether an answer is compressed depends on this header of the request. */
export const VARY_CODING: Header = ['vary', 'accept-encoding'];

/** The coding that an Accept-Encoding header likes best; undefined: the body as it is. */
export function codingOf(acceptEncoding: string): Coding | undefined {
  if (acceptEncoding === '') return undefined;
  const preferences = new Map(
    readPreferences(acceptEncoding).map(({ name, quality }) => [name, quality]),
  );
  const qualityOf = (name: string) => preferences.get(name) ?? preferences.get('*') ?? 0;
  // What does not say otherwise takes a plain body, too, but has asked for a coding.
  return bestOf(CODINGS, qualityOf, preferences.get('identity'));
}

/** Every piece is flushed, so that the rows that are there leave; the window bounds the memory. */
const gzipOptions: ZlibOptions = { level: 3, flush: constants.Z_SYNC_FLUSH };
const brotliOptions: BrotliOptions = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

/** Compresses a body, off the thread. */
export function encodeWhole(
  coding: Coding,
  body: string | Uint8Array,
  done: (error: Error | null, bytes: Uint8Array) => void,
): void {
  if (coding === 'br') brotliCompress(body, { params: brotliOptions.params }, done);
  else gzip(body, { level: gzipOptions.level }, done);
}

/** What compresses a body bit by bit. */
export function createEncoder(coding: Coding): Transform {
  return coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
}
