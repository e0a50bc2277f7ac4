/** Buffers that small answers are written into: each answer is copied on its way, and its buffer serves the next. */
import { OutputBytes } from '../../engine/index.js';

const spare: OutputBytes[] = [];
const SPARE_MAX = 64;
const FIRST_BYTES = 4 * 1024;
const SPARE_BYTES_MAX = 32 * 1024;

export function takeOutput(): OutputBytes {
  return spare.pop() ?? new OutputBytes(FIRST_BYTES);
}

/** Takes a buffer back that nobody writes to any more. */
export function giveOutput(bytes: OutputBytes): void {
  bytes.length = 0;
  if (bytes.bytes.length <= SPARE_BYTES_MAX && spare.length < SPARE_MAX) spare.push(bytes);
}
