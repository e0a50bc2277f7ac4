/** Writes the output of a command to a file or to standard output, with errors of one line. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { messageOf } from '../gateway/error-message.js';

interface Output {
  /** Resolves when more can be written. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Ends a complete output. */
  finish(): Promise<void>;
  /** Ends an incomplete output; nothing is left of a file. */
  discard(): Promise<void>;
}

/**
 * Writes to a file, or to standard output. A file gets its name only when it is complete, so that a failed
 * command leaves the old file. Rejects if it cannot be written, or if the pieces end with an error.
 */
export async function writeOutput(
  file: string | undefined,
  pieces: AsyncIterable<Uint8Array> | Iterable<string>,
): Promise<void> {
  const output = await openOutput(file);
  try {
    for await (const piece of pieces) await output.write(piece);
    await output.finish();
  } catch (error) {
    await output.discard().catch(() => undefined);
    throw error;
  }
}

async function openOutput(file: string | undefined): Promise<Output> {
  if (file === undefined) return standardOutput();
  try {
    const old = await stat(file).catch(() => undefined);
    if (old?.isDirectory()) throw new Error('it is a folder');
    // A device or a pipe has no other name.
    if (old && !old.isFile()) return written(file, await open(file, 'w'));
    return await replacing(file, old?.mode);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

const LINE_FEED = '\n'.charCodeAt(0);

/** A last line without an end, as of JSON, gets one, so that what a terminal shows next begins on its own line. */
function standardOutput(): Output {
  let last: number = LINE_FEED;
  return {
    write: async (bytes) => {
      last = Buffer.from(bytes.slice(-1)).at(-1) ?? last;
      if (!process.stdout.write(bytes)) {
        await new Promise<void>((resolve) => process.stdout.once('drain', () => resolve()));
      }
    },
    finish: async () => void (last === LINE_FEED || process.stdout.write('\n')),
    discard: async () => {},
  };
}

function written(file: string, handle: FileHandle): Output {
  const close = () =>
    handle.close().catch((cause: unknown) => Promise.reject(unwritable(file, cause)));
  return {
    write: async (bytes) => {
      try {
        const data = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
        for (let at = 0; at < data.length; ) at += (await handle.write(data, at)).bytesWritten;
      } catch (cause) {
        throw unwritable(file, cause);
      }
    },
    finish: close,
    discard: close,
  };
}

async function replacing(file: string, mode: number | undefined): Promise<Output> {
  // Not the number of this process: in a container it is always the same, also after one that was killed.
  const part = `${file}.${randomUUID()}.part`;
  const forget = removedAtSignal(part);
  const handle = await open(part, 'wx', mode).catch((cause: unknown) => {
    forget();
    throw cause;
  });
  const output = written(file, handle);
  return {
    write: output.write,
    finish: async () => {
      await output.finish();
      await rename(part, file).catch((cause: unknown) => Promise.reject(unwritable(file, cause)));
      forget();
    },
    discard: async () => {
      await output.discard();
      await rm(part, { force: true });
      forget();
    },
  };
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
