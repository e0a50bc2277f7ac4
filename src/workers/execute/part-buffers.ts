/**
 * A pool of buffers for parts of answers. The gateway returns them with its credit, so a long
 * answer creates no garbage in either thread.
 */

/** The size at which a part is sent. With its frame, it is one write of the gateway. */
export const PART_BYTES = 60 * 1024;
/** Larger than a part, because the row that completes a part is written whole. */
const BUFFER_BYTES = 96 * 1024;
/** The most unused buffers that are kept. */
const SPARE_MAX = 32;

const spare: ArrayBuffer[] = [];

/** A buffer for a part; its content is undefined. */
export function takePartBuffer(): ArrayBuffer {
  return spare.pop() ?? new ArrayBuffer(BUFFER_BYTES);
}

/** Returns a buffer to the pool, unless it has another size or the pool is full. */
export function givePartBuffer(buffer: ArrayBuffer): void {
  if (buffer.byteLength === BUFFER_BYTES && spare.length < SPARE_MAX) spare.push(buffer);
}
