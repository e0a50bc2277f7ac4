/**
 * The buffers in which parts of answers leave: the gateway sends them back with its credit, and they
 * are written anew, so that a long answer leaves no garbage behind it in either thread.
 */

/** Bytes that are gathered before a part leaves: with its frame it is one write of the gateway. */
export const PART_BYTES = 60 * 1024;
/** Room for the row that makes a part full. */
const BUFFER_BYTES = 96 * 1024;
/** Buffers that are kept for parts to come. */
const SPARE_MAX = 32;

const spare: ArrayBuffer[] = [];

/** A buffer for a part; its content is undefined. */
export function takePartBuffer(): ArrayBuffer {
  return spare.pop() ?? new ArrayBuffer(BUFFER_BYTES);
}

/** Takes a buffer back, unless it is of another size or there are enough. */
export function givePartBuffer(buffer: ArrayBuffer): void {
  if (buffer.byteLength === BUFFER_BYTES && spare.length < SPARE_MAX) spare.push(buffer);
}
