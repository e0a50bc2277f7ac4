/** Writes the output of a command to a file or to standard output, with errors of one line. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, type Stats } from 'node:fs';
import {
  access,
  constants as modes,
  lstat,
  open,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../gateway/error-message.js';

type Pieces = AsyncIterable<Uint8Array> | Iterable<string>;

/**
 * Writes to a file, or to standard output. A file gets its name only when it is complete, so that a failed
 * command leaves the old file. Rejects if it cannot be written, or if the pieces end with an error.
 */
export async function writeOutput(file: string | undefined, pieces: Pieces): Promise<void> {
  if (file === undefined) return writeStandardOutput(pieces);
  try {
    const old = await stat(file).catch(() => undefined);
    if (old?.isDirectory()) throw unwritable(file, new Error('it is a folder'));
    if (await isReplaced(file, old)) await replace(file, old?.mode, pieces);
    else await pipeline(pieces, (await open(file, 'w')).createWriteStream());
  } catch (cause) {
    throw cause instanceof Error && 'syscall' in cause ? unwritable(file, cause) : cause;
  }
}

const LINE_FEED = '\n'.charCodeAt(0);

/** A last line without an end, as of JSON, gets one, so that what a terminal shows next begins on its own line. */
async function writeStandardOutput(pieces: Pieces): Promise<void> {
  let last: number = LINE_FEED;
  for await (const piece of pieces) {
    last = Buffer.from(piece.slice(-1)).at(-1) ?? last;
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
  if (last !== LINE_FEED) process.stdout.write('\n');
}

/**
 * Not a device or a pipe, which has no other name, nor a link to nothing, to a file in a folder that only others may
 * write or, such as `/dev/stdout`, to an open file.
 */
async function isReplaced(file: string, old: Stats | undefined): Promise<boolean> {
  const isLink = (await lstat(file).catch(() => undefined))?.isSymbolicLink();
  if (!isLink) return !old || old.isFile();
  if (!old?.isFile() || /^\/(?:dev|proc)\//.test(resolve(file))) return false;
  const folder = dirname(await realpath(file));
  return access(folder, modes.W_OK).then(
    () => true,
    () => false,
  );
}

async function replace(file: string, mode: number | undefined, pieces: Pieces): Promise<void> {
  // A link stays one.
  const target = mode === undefined ? file : await realpath(file);
  // Not the number of this process: in a container it is always the same, also after one that was killed.
  const part = `${target}.${randomUUID()}.part`;
  const forget = removedAtSignal(part);
  try {
    await pipeline(pieces, (await open(part, 'wx', mode)).createWriteStream());
    await rename(part, target);
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined);
    throw cause;
  } finally {
    forget();
  }
}

/** Removes the file if a signal ends the program. Returns a function that stops watching. */
function removedAtSignal(path: string): () => void {
  const watched = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const end = () => {
      rmSync(path, { force: true });
      process.exit(128 + constants.signals[signal]);
    };
    process.once(signal, end);
    return () => process.off(signal, end);
  });
  return () => watched.forEach((stop) => stop());
}

function unwritable(file: string, cause: unknown): Error {
  return new Error(`The file ${file} cannot be written: ${messageOf(cause)}.`, { cause });
}
