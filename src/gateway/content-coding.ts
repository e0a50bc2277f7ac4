/** Content codings: which one a client accepts, and how a body is compressed. */
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

/** The codings, the faster one first. At these levels, both produce bodies of similar size. */
const CODINGS = ['gzip', 'br'] as const;

export type Coding = (typeof CODINGS)[number];

/** Smaller bodies are not compressed. */
export const COMPRESSED_BYTES_MIN = 1024;

/** Whether an answer is compressed depends on this request header. */
export const VARY_CODING: Header = ['vary', 'accept-encoding'];

/** The coding that an Accept-Encoding header prefers; undefined if the body must not be compressed. */
export function codingOf(acceptEncoding: string): Coding | undefined {
  if (acceptEncoding === '') return undefined;
  const preferences = new Map(
    readPreferences(acceptEncoding).map(({ name, quality }) => [name, quality]),
  );
  const qualityOf = (name: string) => preferences.get(name) ?? preferences.get('*') ?? 0;
  // A header that does not exclude plain bodies accepts them too, but the client asked for a coding.
  return bestOf(CODINGS, qualityOf, preferences.get('identity'));
}

/** Each piece is flushed, so that complete rows are sent at once. The window limits the memory. */
const gzipOptions: ZlibOptions = { level: 3, flush: constants.Z_SYNC_FLUSH };
const brotliOptions: BrotliOptions = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

/** Compresses a body in the thread pool. */
export function encodeWhole(
  coding: Coding,
  body: string | Uint8Array,
  done: (error: Error | null, bytes: Uint8Array<ArrayBuffer>) => void,
): void {
  if (coding === 'br') brotliCompress(body, { params: brotliOptions.params }, done);
  else gzip(body, { level: gzipOptions.level }, done);
}

/** Creates a compressing stream. */
export function createEncoder(coding: Coding): Transform {
  return coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
}
