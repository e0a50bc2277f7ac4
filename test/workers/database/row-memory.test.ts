/** Rows that are kept do not change when the buffer that they came in, or released memory, is used again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldText, RowBytes } from '../../../src/engine/index.js';
import { decodeText } from '../../../src/workers/decode-text.js';
import { RowMemory, rowLength, sharedMemory } from '../../../src/workers/database/row-memory.js';
import '../../support/fixed-seed.js';

/** Short ones are copied in another way than long ones, and very long ones have memory of their own. */
const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.nat(40_000).map((length) => 'é'.repeat(length)),
);

const socket = Buffer.alloc(200_000);

/** Receives a row in a buffer that is then used again. */
function receive(rows: RowBytes, memory: RowMemory, value: string, before: number): void {
  const bytes = Buffer.from(value);
  const start = before + 4;
  socket.writeInt32BE(bytes.length + 10, before);
  socket.writeUInt16BE(1, start);
  socket.writeInt32BE(bytes.length, start + 2);
  bytes.copy(socket, start + 6);
  memory.keep(rows, socket, start);
  socket.fill(0xee);
}

function textsOf(rows: RowBytes): readonly (string | null)[] {
  return rows.starts.map((_, index) => {
    const row = rows.at(index);
    return row ? fieldText(row, 0, decodeText) : null;
  });
}

test('kept rows do not change', () => {
  const reads = fc.array(
    fc.record({ texts: fc.array(text, { maxLength: 30 }), isReleased: fc.boolean() }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(reads, fc.nat(1000), (given, before) => {
      const open = given.map(({ texts, isReleased }) => {
        const memory = isReleased ? new RowMemory(true) : sharedMemory;
        return { texts, memory, isReleased, rows: new RowBytes() };
      });
      // They arrive alternately, as those of several reads do.
      for (let index = 0; index < 30; index += 1) {
        for (const { texts, memory, rows } of open) {
          const value = texts[index];
          if (value !== undefined) receive(rows, memory, value, before);
        }
      }
      for (const { texts, memory, isReleased, rows } of open) {
        expect(textsOf(rows)).toEqual(texts);
        const { byteLength } = rows;
        expect(byteLength).toBe(texts.reduce((sum, each) => sum + Buffer.byteLength(each) + 10, 0));
        if (isReleased) memory.release();
      }
    }),
    { numRuns: 300 },
  );
});

test('released memory is used again', () => {
  const [first, second] = [new RowMemory(true), new RowMemory(true)];
  const [rows, others] = [new RowBytes(), new RowBytes()];
  receive(rows, first, 'one', 0);
  first.release();
  receive(others, second, 'two', 0);
  expect(others.at(0)?.bytes).toBe(rows.at(0)?.bytes);
  expect(textsOf(others)).toEqual(['two']);
  second.release();
  const row = others.at(0);
  expect(row && rowLength(Buffer.from(row.bytes), row.start)).toBe(13);
});
