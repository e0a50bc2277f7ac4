/** The document that `rowgate import` sends: a file or standard input, unpacked if it is compressed by gzip. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { messageOf } from '../gateway/error-message.js';

/** The document cannot be read or unpacked. */
export class DocumentError extends Error {
  constructor(file: string, cause: unknown) {
    const what = file === '-' ? 'Standard input' : `The file ${file}`;
    super(`${what} cannot be read: ${messageOf(cause)}.`, { cause });
    this.name = 'DocumentError';
  }
}

export interface ImportFile {
  readonly body: AsyncIterable<Uint8Array>;
  /** The size of the unpacked document; undefined if it is unknown. */
  readonly totalBytes: number | undefined;
}

/** Opens a file; `-` is standard input. Throws a {@link DocumentError} if it cannot be read. */
export async function openImport(file: string): Promise<ImportFile> {
  try {
    const size = file === '-' ? undefined : await sizeOf(file);
    const chunks = file === '-' ? process.stdin : createReadStream(file);
    const rest = chunks[Symbol.asyncIterator]();
    const start = await startOf(rest);
    const isPacked = start[0] === 0x1f && start[1] === 0x8b;
    const whole = joined(start, rest);
    const body = isPacked ? unpacked(whole) : whole;
    return { body: readable(file, body), totalBytes: isPacked ? undefined : size };
  } catch (cause) {
    throw new DocumentError(file, cause);
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file);
  if (found.isDirectory()) throw new Error('it is a folder');
  return found.size;
}

/** At least two bytes, unless there are fewer. */
async function startOf(rest: AsyncIterator<Buffer>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const next = await rest.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  return start;
}

async function* joined(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* unpacked(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(packed, { objectMode: false });
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
  } finally {
    source.destroy();
  }
}

async function* readable(
  file: string,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new DocumentError(file, cause);
  }
}
