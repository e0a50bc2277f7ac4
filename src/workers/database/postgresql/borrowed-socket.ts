/**
 * Sockets that read into one buffer a thread instead of a new one for each read: what is read is used,
 * or copied, before the next read. A large result then leaves no garbage behind it.
 */
import { Socket } from 'node:net';

/** More than the system hands over at once. */
const READ_BYTES = 256 * 1024;

interface Reader {
  take(bytes: Buffer): void;
}

const borrowed = Buffer.allocUnsafeSlow(READ_BYTES);
const readers = new WeakMap<object, Reader>();

/** A socket, not yet connected, whose bytes go to whom {@link readsInto} names. */
export function createBorrowingSocket(): Socket {
  const reader: Reader = { take: () => undefined };
  const callback = (size: number): boolean => {
    reader.take(borrowed.subarray(0, size));
    return true;
  };
  // The types know of `onread` when connecting only.
  const options = { allowHalfOpen: false, onread: { buffer: borrowed, callback } };
  const socket = new Socket(options);
  readers.set(socket, reader);
  return socket;
}

/**
 * Passes the bytes that the socket reads to `take`, which must be done with them when it returns. False:
 * the stream is not such a socket, and emits its bytes as events.
 */
export function readsInto(stream: object, take: (bytes: Buffer) => void): boolean {
  const reader = readers.get(stream);
  if (reader === undefined) return false;
  reader.take = take;
  return true;
}
