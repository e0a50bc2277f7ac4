/**
 * The memory for the whole answers of workers. What does not fit is sent in a buffer of its own. That of ended workers is used
 * again: V8 does not count shared memory, so nothing would hurry the garbage collection that frees it.
 */
const ANSWER_BYTES = 1 << 22;
/** More than this is left to the garbage collection. */
const SPARE_MAX = 32;

const spare: SharedArrayBuffer[] = [];

export function takeAnswerMemory(): SharedArrayBuffer {
  return spare.pop() ?? new SharedArrayBuffer(ANSWER_BYTES);
}

/** Nothing may use the memory any longer: the thread of the worker must have exited. */
export function giveAnswerMemory(memory: SharedArrayBuffer): void {
  if (spare.length < SPARE_MAX) spare.push(memory);
}
