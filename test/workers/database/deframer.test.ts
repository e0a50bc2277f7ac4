/** Messages are complete and unchanged, however the received bytes are cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUFFERED_BYTES_MAX, Deframer } from '../../../src/workers/database/postgresql/deframer.js';
import '../../support/fixed-seed.js';

interface Message {
  readonly code: number;
  readonly body: Uint8Array;
}

const message: fc.Arbitrary<Message> = fc.record({
  code: fc.constantFrom(...Buffer.from('DDDD2CZESN')),
  body: fc.oneof(
    { weight: 9, arbitrary: fc.uint8Array({ maxLength: 12 }) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 100, maxLength: 700, size: 'max' }) },
  ),
});
const messages = fc.array(message, { minLength: 1, maxLength: 12 });

test('whatever the chunks are, the messages are the same', () => {
  const cuts = fc.array(fc.nat(10_000), { maxLength: 20 });
  fc.assert(
    fc.property(messages, cuts, (given, at) => {
      const stream = bytesOf(given);
      const ends = [...new Set(at.map((each) => each % stream.length))].sort((a, b) => a - b);
      expectMessages(given, chunksOf(stream, [...ends, stream.length]));
    }),
    { numRuns: 1500 },
  );
});

test('byte by byte, and split in two at every place', () => {
  fc.assert(
    fc.property(messages, (given) => {
      const stream = bytesOf(given);
      const each = Array.from({ length: stream.length }, (_, index) => index + 1);
      expectMessages(given, chunksOf(stream, each));
      for (const cut of each) {
        expectMessages(given, chunksOf(stream, [cut, stream.length]));
      }
    }),
    { numRuns: 15 },
  );
});

test('a message that is too long is discarded, and those around it are not', () => {
  const length = BUFFERED_BYTES_MAX + 1;
  const seen: string[] = [];
  const deframer = new Deframer({
    message: (code, _, start, end) => seen.push(`${String.fromCodePoint(code)}${end - start}`),
    discarded: (code, own) => seen.push(`${String.fromCodePoint(code)} ${own}`),
  });
  const before = bytesOf([{ code: 0x5a, body: Buffer.from('abc') }]);
  const start = bytesOf([{ code: 0x44, body: Buffer.alloc(100) }]);
  start.writeInt32BE(length, 1);
  const chunk = Buffer.alloc(1 << 20);
  let left = length + 1 - start.length;
  const memory = process.memoryUsage().arrayBuffers;
  deframer.take(Buffer.concat([before, start]));
  for (; left > chunk.length; left -= chunk.length) deframer.take(chunk);
  deframer.take(Buffer.concat([chunk.subarray(0, left), before]));
  expect(seen).toEqual(['Z8', `D ${length}`, 'Z8']);
  expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(length / 2);
});

function unexpected(): never {
  throw new Error('A message was discarded.');
}

function bytesOf(given: readonly Message[]): Buffer {
  return Buffer.concat(
    given.map(({ code, body }) => {
      const header = Buffer.alloc(5);
      header[0] = code;
      header.writeInt32BE(4 + body.length, 1);
      return Buffer.concat([header, body]);
    }),
  );
}

function chunksOf(stream: Buffer, ends: readonly number[]): readonly Buffer[] {
  return ends.map((end, index) => stream.subarray(ends[index - 1] ?? 0, end));
}

/** Each chunk is overwritten after it was taken. */
function expectMessages(given: readonly Message[], chunks: readonly Buffer[]): void {
  const codes: number[] = [];
  const seen: Buffer[] = [];
  const deframer = new Deframer({
    message(code, bytes, start, end) {
      expect(bytes[start]).toBe(code);
      codes.push(code);
      seen.push(Buffer.from(bytes.subarray(start, end)));
    },
    discarded: unexpected,
  });
  const socket = Buffer.alloc(10_000);
  for (const chunk of chunks) {
    deframer.take(socket.subarray(0, chunk.copy(socket)));
    socket.fill(0xee);
  }
  expect(codes).toEqual(given.map(({ code }) => code));
  const expected = given.map((each) => bytesOf([each]));
  expect(Buffer.concat(seen).equals(Buffer.concat(expected))).toBe(true);
}
