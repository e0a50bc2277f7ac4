import { expect, test } from 'vitest';
import { RowWriter } from '../../../src/workers/database/mysql/rows.js';
import { Wire } from '../../../src/workers/database/mysql/columns.js';

const KIB = 1 << 10;
const MIB = 1 << 20;

/** The packet of a row with one text of this many bytes. */
function packetOf(bytes: number): Buffer {
  const head = Buffer.from([0, 0, 0xfd, 0, 0, 0]);
  head.writeUIntLE(bytes, 3, 3);
  return Buffer.concat([head, Buffer.alloc(bytes, 'a')]);
}

const write = (writer: RowWriter, bytes: number) => {
  const packet = packetOf(bytes);
  const start = writer.write(packet, 0, packet.length, [Wire.text]);
  expect(writer.bytes.readInt32BE(start + 2)).toBe(bytes);
  expect(writer.bytes.toString('latin1', start + 6, start + 9)).toBe('aaa');
};

test('the memory of a large row is freed by a small one', () => {
  const writer = new RowWriter();
  write(writer, 12 * MIB);
  expect(writer.bytes.length).toBeGreaterThan(12 * MIB);
  write(writer, 100);
  expect(writer.bytes.length).toBeLessThan(64 * KIB);
});

test('rows of similar sizes share their memory', () => {
  const writer = new RowWriter();
  write(writer, 3 * MIB);
  const { bytes } = writer;
  write(writer, MIB);
  write(writer, 2 * MIB);
  expect(writer.bytes).toBe(bytes);
  const small = new RowWriter();
  write(small, 700 * KIB);
  const { bytes: kept } = small;
  write(small, 100);
  expect(small.bytes).toBe(kept);
});

test('the texts of a command free the memory, too', () => {
  const writer = new RowWriter();
  write(writer, 12 * MIB);
  writer.writeTexts(Buffer.from([1, 0x61]), 0, 2);
  expect(writer.bytes.length).toBeLessThan(64 * KIB);
});
