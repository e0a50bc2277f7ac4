/**
 * A pool of buffers for answers, because new ones burden the garbage collector. Whole answers are copied when they are
 * sent; the gateway returns the buffers of parts with its credit.
 */
import { OutputBytes } from '../../engine/index.js';

/**
 * A longer answer is sent in parts. Whole answers travel in memory that both threads share (`AnswerMemory`), whereas a
 * buffer that changes threads is new garbage in both.
 */
export const WHOLE_BYTES_MAX = 256 * 1024;
/** The size at which a further part is sent. With its frame, it is one write of the gateway. */
export const PART_BYTES = 60 * 1024;
const FIRST_BYTES = 4 * 1024;
/** Larger than any whole answer. */
const OUTPUT_BYTES_MAX = 1 << 19;
/** The most unused buffers, and their most bytes together. */
const SPARE_MAX = 64;
const SPARE_BYTES_MAX = 1 << 23;

const spare: OutputBytes[] = [];
let spareBytes = 0;

export function takeOutput(): OutputBytes {
  const output = spare.pop();
  spareBytes -= output?.bytes.length ?? 0;
  return output ?? new OutputBytes(FIRST_BYTES);
}

/** Returns a buffer to the pool, unless it is too large or the pool is full. */
export function giveOutput(output: OutputBytes): void {
  const { length } = output.bytes;
  if (length > OUTPUT_BYTES_MAX || spare.length === SPARE_MAX) return;
  if (spareBytes + length > SPARE_BYTES_MAX) return;
  output.length = 0;
  spareBytes += length;
  spare.push(output);
}
