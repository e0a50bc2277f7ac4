/**
 * Finds statements that the server would refuse as too large. It would close the connection, and
 * all waiting runs would fail.
 */
import type { Step } from '../statement.js';

/** The most bytes in addition to a value: its length, its type, and whether it is null. */
const AROUND_BYTES = 12;
/** The most UTF-8 bytes of a UTF-16 unit. */
const UNIT_BYTES = 3;
/** The command, the statement's number and the flags. */
const HEAD_BYTES = 32;

/** Whether the packet for the statement is larger than the server accepts. */
export function isTooLarge({ statement }: Step, packetBytesMax: number): boolean {
  if (!statement) return false;
  const { text, parameters, types } = statement;
  let bytes = HEAD_BYTES + UNIT_BYTES * text.length;
  for (const each of parameters) bytes += AROUND_BYTES + UNIT_BYTES * (each?.length ?? 0);
  if (bytes <= packetBytesMax) return false;
  bytes = HEAD_BYTES;
  for (const [index, each] of parameters.entries()) {
    const encoding = types?.[index] === 'binary' ? 'base64' : 'utf8';
    bytes += AROUND_BYTES + Buffer.byteLength(each ?? '', encoding);
  }
  return Buffer.byteLength(text) > packetBytesMax || bytes > packetBytesMax;
}
