/** The document that `rowgate import` sends: a file or standard input, unpacked if it is compressed by gzip. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
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
    const source = file === '-' ? process.stdin : createReadStream(file);
    // Whoever reads the document gets its errors, perhaps later.
    source.on('error', () => undefined);
    if (!(await isPacked(source))) return { body: readable(file, source), totalBytes: size };
    return { body: readable(file, unpacked(source)), totalBytes: undefined };
  } catch (cause) {
    throw new DocumentError(file, cause);
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file);
  if (found.isDirectory()) throw new Error('it is a folder');
  return found.size;
}

/** Whether the document begins like one that is compressed by gzip. Its first bytes stay in the stream. */
async function isPacked(source: Readable): Promise<boolean> {
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    await once(source, 'readable');
    const chunk: unknown = source.read();
    if (!Buffer.isBuffer(chunk)) break;
    start = Buffer.concat([start, chunk]);
  }
  if (start.length > 0) source.unshift(start);
  return start[0] === 0x1f && start[1] === 0x8b;
}

async function* unpacked(source: Readable): AsyncGenerator<Uint8Array> {
  yield* pipeline(source, createGunzip(), () => undefined);
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
