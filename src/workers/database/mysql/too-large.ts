/** Statements that the server would not take: it would close the connection, with all that waits there. */
import type { Step } from '../statement.js';

/** What stands around a value, at most: its length, its type, and whether it is null. */
const AROUND_BYTES = 12;
/** A UTF-16 unit has no more bytes in UTF-8. */
const UNIT_BYTES = 3;
/** The command, the statement's number, its flags. */
const HEAD_BYTES = 32;

/** Whether the packet that runs the statement has more bytes than the server takes. */
export function isTooLarge({ statement }: Step, packetBytesMax: number): boolean {
  if (!statement) return false;
  const { text, parameters } = statement;
  let bytes = HEAD_BYTES + UNIT_BYTES * text.length;
  for (const each of parameters) bytes += AROUND_BYTES + UNIT_BYTES * (each?.length ?? 0);
  if (bytes <= packetBytesMax) return false;
  const values = parameters.map((each) => AROUND_BYTES + Buffer.byteLength(each ?? ''));
  return Buffer.byteLength(text) > packetBytesMax || sum(values) + HEAD_BYTES > packetBytesMax;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}
