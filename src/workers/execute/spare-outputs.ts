/** A pool of buffers for small answers, which are copied when they are sent. */
import { OutputBytes } from '../../engine/index.js';

const spare: OutputBytes[] = [];
const SPARE_MAX = 64;
const FIRST_BYTES = 4 * 1024;
const SPARE_BYTES_MAX = 32 * 1024;

export function takeOutput(): OutputBytes {
  return spare.pop() ?? new OutputBytes(FIRST_BYTES);
}

/** Returns an unused buffer to the pool. */
export function giveOutput(bytes: OutputBytes): void {
  bytes.length = 0;
  if (bytes.bytes.length <= SPARE_BYTES_MAX && spare.length < SPARE_MAX) spare.push(bytes);
}
