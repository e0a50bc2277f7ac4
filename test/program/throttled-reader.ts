/**
 * A client that reads a chunked answer as over a bad network: fast, then byte by byte, then not at all
 * for a while. It reads from the system in exactly these sizes.
 */
import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { createRandom } from '../support/random.js';

const FAST_BYTES = 256 * 1024;
/** The average number of bytes between two slow phases. */
const BETWEEN_BYTES = 4 << 20;
const BYTES_OF_SINGLES = 400;
const SMALL_READS = 300;
const STOPS = 2;

export interface ThrottledRead {
  readonly hash: string;
  readonly bytes: number;
  /** How often it read a single byte, and how often it paused for more than a second. */
  readonly singles: number;
  readonly stops: number;
}

/**
 * Posts a query, and reads its answer to the end. Rejects if the answer is cut or its chunks are
 * malformed.
 */
export function readThrottled(port: number, query: string, seed: number): Promise<ThrottledRead> {
  const random = createRandom(seed);
  const decoder = new ChunkDecoder();
  let [untilSpell, left, singles, stops] = [BETWEEN_BYTES, 0, 0, 0];
  let size = FAST_BYTES;
  return new Promise((resolve, reject) => {
    const rest = (ms: number): void => {
      socket.pause();
      setTimeout(() => socket.resume(), ms);
    };
    const beginSpell = (): void => {
      untilSpell = random(2 * BETWEEN_BYTES);
      const kind = random(4);
      if (kind === 0) [size, left] = [1, BYTES_OF_SINGLES];
      else if (kind === 1) [size, left] = [1 + random(1500), SMALL_READS];
      else if (kind === 2) rest(random(40));
      else if (stops < STOPS) rest(1000 + 500 * ++stops);
    };
    const take = (count: number, buffer: Uint8Array): boolean => {
      try {
        if (decoder.take(buffer.subarray(0, count))) socket.destroy();
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
      }
      if (size === 1) singles += 1;
      if (size < FAST_BYTES && --left === 0) size = FAST_BYTES;
      untilSpell -= count;
      if (untilSpell <= 0 && size === FAST_BYTES) beginSpell();
      return true;
    };
    const large = Buffer.alloc(FAST_BYTES);
    // The types declare `onread` only for `connect`.
    const options = {
      allowHalfOpen: false,
      onread: { buffer: () => large.subarray(0, size), callback: take },
    };
    const socket = new Socket(options);
    socket.on('error', reject);
    socket.on('close', () => {
      if (decoder.isComplete) resolve({ ...decoder.result, singles, stops });
      else reject(new Error(`cut after ${decoder.result.bytes} bytes`));
    });
    socket.connect(port, '127.0.0.1', () => socket.write(requestOf(query)));
  });
}

function requestOf(query: string): string {
  const body = JSON.stringify({ query });
  const head = 'POST /execute HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Decodes an answer with `Transfer-Encoding: chunked` (RFC 9112, 7.1), and hashes its body. */
class ChunkDecoder {
  isComplete = false;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  /** The start of an incomplete line. */
  #line = '';
  #phase: 'head' | 'size' | 'data' | 'data-end' | 'end' = 'head';
  #left = 0;

  get result() {
    const hash = this.isComplete ? this.#hash.copy().digest('hex') : '';
    return { hash, bytes: this.#bytes };
  }

  /** Takes bytes, and returns whether the answer is complete. */
  take(bytes: Uint8Array): boolean {
    let at = 0;
    while (at < bytes.length && !this.isComplete) {
      if (this.#phase === 'data') {
        const size = Math.min(this.#left, bytes.length - at);
        this.#hash.update(bytes.subarray(at, at + size));
        this.#bytes += size;
        this.#left -= size;
        at += size;
        if (this.#left === 0) this.#phase = 'data-end';
        continue;
      }
      const byte = bytes[at++] ?? 0;
      if (byte !== 0x0a) this.#line += String.fromCharCode(byte);
      else this.#takeLine();
    }
    return this.isComplete;
  }

  #takeLine(): void {
    const line = this.#line;
    this.#line = '';
    if (!line.endsWith('\r')) throw new Error(`a line without its end: ${JSON.stringify(line)}`);
    const text = line.slice(0, -1);
    if (this.#phase === 'head') {
      if (text === '') this.#phase = 'size';
    } else if (this.#phase === 'size') {
      if (!/^[0-9a-f]+$/i.test(text))
        throw new Error(`no size of a chunk: ${JSON.stringify(text)}`);
      this.#left = Number.parseInt(text, 16);
      this.#phase = this.#left === 0 ? 'end' : 'data';
    } else if (text !== '') {
      throw new Error(`something behind a chunk: ${JSON.stringify(text)}`);
    } else if (this.#phase === 'end') {
      this.isComplete = true;
    } else {
      this.#phase = 'size';
    }
  }
}
