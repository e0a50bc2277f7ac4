/** The frames in which databases send their answers, and the wrong lengths that they can have. */

/** How frames begin. */
export interface Framing {
  readonly headerBytes: number;
  /** The size of the frame that begins at `at`, with its header. */
  size(bytes: Buffer, at: number): number;
  /** Writes the length of a frame of this size, whatever it is. */
  writeSize(bytes: Buffer, at: number, size: number): void;
  /** Lengths that no answer has. */
  readonly absurd: readonly number[];
}

/** A message of PostgreSQL: its kind, and its length without the kind. */
export const postgresqlFraming: Framing = {
  headerBytes: 5,
  size: (bytes, at) => 1 + bytes.readInt32BE(at + 1),
  writeSize: (bytes, at, size) => void bytes.writeInt32BE((size - 1) | 0, at + 1),
  absurd: [1, 4, -1, -(2 ** 31) + 1, 2 ** 30, 2 ** 30 - 100, 2 ** 31 - 1],
};

/** A packet of MariaDB: its length without the header, and its number. */
export const mariadbFraming: Framing = {
  headerBytes: 4,
  size: (bytes, at) => 4 + bytes.readUIntLE(at, 3),
  writeSize: (bytes, at, size) => void bytes.writeUIntLE((size - 4) & 0xffffff, at, 3),
  absurd: [4, 5, 2 ** 20, 0xffffff + 3, 0xffffff + 4],
};

/** A frame in a chunk of bytes, in which it may end or not. */
export interface Frame {
  readonly start: number;
  readonly size: number;
}

/** Finds the frames of a stream of chunks. */
export class FrameCutter {
  readonly #framing: Framing;
  #header = Buffer.alloc(0);
  /** How many bytes of the latest frame are still to come. */
  #left = 0;

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  /** The bytes with the held back ones before them, and without the beginning of a header at their end. */
  whole(chunk: Buffer): Buffer {
    const bytes = this.#header.length > 0 ? Buffer.concat([this.#header, chunk]) : chunk;
    let at = this.#left;
    while (at + this.#framing.headerBytes <= bytes.length) at += this.#framing.size(bytes, at);
    const end = Math.min(at, bytes.length);
    this.#header = Buffer.from(bytes.subarray(end));
    return bytes.subarray(0, end);
  }

  /** The frames that begin in bytes that `whole` returned. */
  take(bytes: Buffer): readonly Frame[] {
    const frames: Frame[] = [];
    let at = this.#left;
    while (at < bytes.length) {
      const size = this.#framing.size(bytes, at);
      frames.push({ start: at, size });
      at += size;
    }
    this.#left = at - bytes.length;
    return frames;
  }
}

const NEAR_BYTES = 40;

/** Gives the first of the frames a wrong length: a little shorter or longer, as if it contained those after it, or absurd. */
export function corruptLength(
  framing: Framing,
  bytes: Buffer,
  [frame, ...others]: readonly Frame[],
  random: (below: number) => number,
): void {
  if (!frame) return;
  const swallowed = others.slice(0, 1 + random(4)).reduce((sum, { size }) => sum + size, 0);
  const body = frame.size - framing.headerBytes;
  const wrong = [
    frame.size - 1 - random(Math.min(NEAR_BYTES, body)),
    frame.size + 1 + random(NEAR_BYTES),
    frame.size + (swallowed || 1),
    framing.absurd[random(framing.absurd.length)] ?? 1,
  ][random(4)];
  framing.writeSize(bytes, frame.start, wrong ?? 1);
}
