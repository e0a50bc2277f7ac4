/** What a server sent does not follow its protocol. Nothing after it can be read, so the connection ends. */
export class ProtocolError extends Error {}

/** Whether reading failed because of the bytes: a number beyond the end of its message is a RangeError. */
export function isProtocolError(error: unknown): error is Error {
  return error instanceof ProtocolError || error instanceof RangeError;
}
