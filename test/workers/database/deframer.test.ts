/** Messages are complete and unchanged, however the received bytes are cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Deframer } from '../../../src/workers/database/postgresql/deframer.js';
import '../../support/fixed-seed.js';

const DATA_ROW = 'D'.charCodeAt(0);

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

test('whatever the chunks are, the messages are the same, and kept rows do not change', () => {
  const cuts = fc.array(fc.nat(10_000), { maxLength: 20 });
  fc.assert(
    fc.property(messages, cuts, fc.boolean(), fc.boolean(), (given, at, keepsRows, isBorrowed) => {
      const stream = bytesOf(given);
      const ends = [...new Set(at.map((each) => each % stream.length))].sort((a, b) => a - b);
      expectMessages(given, chunksOf(stream, [...ends, stream.length]), keepsRows, isBorrowed);
    }),
    { numRuns: 1500 },
  );
});

test('byte by byte, and split in two at every place', () => {
  fc.assert(
    fc.property(messages, fc.boolean(), (given, keepsRows) => {
      const stream = bytesOf(given);
      const each = Array.from({ length: stream.length }, (_, index) => index + 1);
      expectMessages(given, chunksOf(stream, each), keepsRows, true);
      for (const cut of each) {
        expectMessages(given, chunksOf(stream, [cut, stream.length]), keepsRows, true);
      }
    }),
    { numRuns: 15 },
  );
});

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

/** Chunks are overwritten after they were taken, as are messages that nobody keeps. */
function expectMessages(
  given: readonly Message[],
  chunks: readonly Buffer[],
  keepsRows: boolean,
  isBorrowed: boolean,
): void {
  const codes: number[] = [];
  const seen: Buffer[] = [];
  const kept: { readonly at: number; readonly bytes: Buffer }[] = [];
  const deframer = new Deframer({
    keepsRows,
    message(code, bytes, start, end) {
      expect(bytes[start]).toBe(code);
      const own = bytes.subarray(start, end);
      if (keepsRows && code === DATA_ROW) kept.push({ at: seen.length, bytes: own });
      codes.push(code);
      seen.push(Buffer.from(own));
    },
  });
  const socket = Buffer.alloc(10_000);
  for (const chunk of chunks) {
    const borrowed = isBorrowed ? socket.subarray(0, chunk.copy(socket)) : Buffer.from(chunk);
    deframer.take(borrowed, isBorrowed);
    if (isBorrowed) socket.fill(0xee);
  }
  expect(codes).toEqual(given.map(({ code }) => code));
  const expected = given.map((each) => bytesOf([each]));
  expect(Buffer.concat(seen).equals(Buffer.concat(expected))).toBe(true);
  for (const { at, bytes } of kept) expect(bytes.equals(expected[at] ?? socket)).toBe(true);
}
