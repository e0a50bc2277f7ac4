/** The memory of rows that are kept after the connection's buffer is used again. */
import type { RowBytes } from '../../engine/index.js';

/** Rows share blocks of memory: a buffer for each row would burden the garbage collector. */
const BLOCK_BYTES = 64 * 1024;
/** Larger rows have memory of their own. */
const SHARED_BYTES_MAX = BLOCK_BYTES / 4;
/** Blocks that are given back are used again, because V8 counts new ones towards its next major collection. */
const FREE_BLOCKS_MAX = 64;
/** Longer rows are copied by the runtime. */
const LOOP_BYTES_MAX = 48;
/** The length of a row is in the four bytes before its field count. */
const LENGTH_BYTES = 4;

const NO_BLOCK = Buffer.alloc(0);
const freeBlocks: Buffer[] = [];

/** The size of a row including its length. */
export function rowLength(bytes: Buffer, start: number): number {
  return bytes.readInt32BE(start - LENGTH_BYTES);
}

export class RowMemory {
  #block: Buffer = NO_BLOCK;
  #used = 0;
  /** Those to give back; undefined if that never happens. */
  readonly #blocks: Buffer[] | undefined;

  /** `isReleased`: whether {@link release} will be called. If not, the memory is collected as garbage. */
  constructor(isReleased: boolean) {
    this.#blocks = isReleased ? [] : undefined;
  }

  /** Adds a copy of the row whose number of fields is at `start`. */
  keep(rows: RowBytes, bytes: Buffer, start: number): void {
    const from = start - LENGTH_BYTES;
    const end = from + rowLength(bytes, start);
    const size = end - from;
    if (size > SHARED_BYTES_MAX) {
      rows.push(Buffer.from(bytes.subarray(from, end)), LENGTH_BYTES);
      return;
    }
    if (this.#used + size > this.#block.length) this.#addBlock();
    const at = this.#used;
    this.#used += size;
    if (size > LOOP_BYTES_MAX) bytes.copy(this.#block, at, from, end);
    else for (let i = 0; i < size; i += 1) this.#block[at + i] = bytes[from + i] ?? 0;
    rows.push(this.#block, at + LENGTH_BYTES);
  }

  /** Gives the memory back, once at the end. The rows must not be read any more. */
  release(): void {
    for (const block of this.#blocks?.splice(0) ?? []) {
      if (freeBlocks.length < FREE_BLOCKS_MAX) freeBlocks.push(block);
    }
    this.#block = NO_BLOCK;
    this.#used = 0;
  }

  #addBlock(): void {
    const free = this.#blocks ? freeBlocks.pop() : undefined;
    this.#block = free ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#used = 0;
    this.#blocks?.push(this.#block);
  }
}

/** For rows whose end is not known. */
export const sharedMemory = new RowMemory(false);
