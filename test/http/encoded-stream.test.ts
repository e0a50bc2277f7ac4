/** A compressed stream on a simulated socket: when its bytes are sent, and when it must wait. */
import { randomBytes } from 'node:crypto';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Coding } from '../../src/gateway/content-coding.js';
import { EncodedStream } from '../../src/gateway/encoded-stream.js';
import type { AnswerStream } from '../../src/gateway/http/exchange.js';
import { until } from '../support/program.js';

const PIECE_BYTES = 64 * 1024;

/** A reader that accepts everything, or nothing while `isFull`. */
class Reader implements AnswerStream {
  readonly waitingBytes = 0;
  isFull = false;
  bytes = 0;
  ended = false;
  aborted = false;
  /** Called when the reader accepts the waiting bytes. */
  onTaken: () => void = () => undefined;
  readonly decoded: Buffer[] = [];
  readonly #decoder;
  readonly stream: EncodedStream;

  constructor(coding: Coding) {
    this.#decoder = coding === 'br' ? createBrotliDecompress() : createGunzip();
    this.#decoder.on('data', (bytes: Buffer) => this.decoded.push(bytes));
    this.stream = new EncodedStream(coding, this, (error) => {
      throw error;
    });
  }

  get text(): string {
    return Buffer.concat(this.decoded).toString('latin1');
  }

  write(bytes: Uint8Array, taken: () => void): void {
    this.bytes += bytes.byteLength;
    this.#decoder.write(bytes);
    if (this.isFull) this.onTaken = taken;
    else taken();
  }

  end(): void {
    this.ended = true;
    this.#decoder.end();
  }

  abort(): void {
    this.aborted = true;
  }
}

describe.each(['gzip', 'br'] as const)('a stream compressed with %s', (coding) => {
  it('sends each piece at once', async () => {
    const reader = new Reader(coding);
    let sent = '';
    for (const piece of ['[{"id":1}', ',{"id":2}', ',{"id":3}']) {
      reader.stream.write(Buffer.from(piece));
      sent += piece;
      await until('the piece is there', () => reader.text === sent);
    }
    reader.stream.end();
    await until('the end is there', () => reader.ended);
    expect(reader.text).toBe(sent);
  });

  it('accepts more only when the reader takes more', async () => {
    const reader = new Reader(coding);
    const pieces = Array.from({ length: 40 }, () => randomBytes(PIECE_BYTES));
    reader.isFull = true;
    let taken = 0;
    const takePiece = () => (taken += 1);
    const [first, ...rest] = pieces;
    reader.stream.write(first ?? Buffer.alloc(0), takePiece);
    await until('the reader is full', () => reader.bytes > 0);
    for (const piece of rest) reader.stream.write(piece, takePiece);
    // When its buffers are full, compression stops until the reader continues.
    await settled(() => reader.bytes);
    expect(reader.bytes).toBeLessThan(2 * PIECE_BYTES);
    expect(taken).toBeLessThan(3);
    reader.isFull = false;
    reader.onTaken();
    await until('all is taken', () => taken === pieces.length);
    reader.stream.end();
    await until('the end is there', () => reader.ended);
    await until('all is decoded', () => reader.text.length === pieces.length * PIECE_BYTES);
    expect(reader.text).toBe(Buffer.concat(pieces).toString('latin1'));
  });

  it('has no waiting bytes after it was cut', async () => {
    const reader = new Reader(coding);
    reader.isFull = true;
    for (let piece = 0; piece < 10; piece += 1) reader.stream.write(randomBytes(PIECE_BYTES));
    await until('the reader is full', () => reader.bytes > 0);
    expect(reader.stream.waitingBytes).toBeGreaterThan(PIECE_BYTES);
    reader.stream.release();
    expect(reader.stream.waitingBytes).toBe(0);
  });

  it('sends nothing after it was cut', async () => {
    const reader = new Reader(coding);
    let taken = 0;
    reader.stream.write(randomBytes(PIECE_BYTES), () => (taken += 1));
    reader.stream.abort();
    expect(reader.aborted).toBe(true);
    reader.stream.write(randomBytes(PIECE_BYTES), () => (taken += 1));
    await settled(() => reader.bytes);
    expect([reader.bytes, reader.ended, taken]).toEqual([0, false, 0]);
  });
});

/** Waits until a number has not changed for many turns of the event loop. */
async function settled(read: () => number): Promise<void> {
  let last = read();
  let same = 0;
  await until('nothing moves', () => {
    same = read() === last ? same + 1 : 0;
    last = read();
    return same > 20;
  });
}
