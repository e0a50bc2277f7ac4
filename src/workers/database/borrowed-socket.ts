/**
 * Sockets that read into one buffer for each thread instead of a new one for each read, so that a large
 * result creates no garbage. The bytes must be used or copied before the next read.
 */
import { Socket } from 'node:net';

/** More than the system returns for a single read. */
const READ_BYTES = 256 * 1024;

interface Reader {
  take(bytes: Buffer): void;
}

const borrowed = Buffer.allocUnsafeSlow(READ_BYTES);
const readers = new WeakMap<object, Reader>();

/** A socket, not yet connected. The receiver of its bytes is set by {@link readsInto}. */
export function createBorrowingSocket(): Socket {
  const reader: Reader = { take: () => undefined };
  const callback = (size: number): boolean => {
    reader.take(borrowed.subarray(0, size));
    return true;
  };
  // The types of Node.js allow `onread` only when connecting.
  const options = { allowHalfOpen: false, onread: { buffer: borrowed, callback } };
  const socket = new Socket(options);
  readers.set(socket, reader);
  return socket;
}

/**
 * Passes the bytes that the socket reads to `take`, which must be done with them when it returns.
 * Returns false if the stream is not such a socket, and emits its bytes as events.
 */
export function readsInto(stream: object, take: (bytes: Buffer) => void): boolean {
  const reader = readers.get(stream);
  if (reader === undefined) return false;
  reader.take = take;
  return true;
}
