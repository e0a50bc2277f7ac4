/** A reader in place of the tap may go at any message: what follows, and is cut anywhere, is the tap's. */
import { expect, test } from 'vitest';
import { MessageCutter } from '../../../src/workers/sources/message-cutter.js';
import { RowTap } from '../../../src/workers/sources/row-tap.js';

const message = (code: string, body: string): Buffer => {
  const header = Buffer.alloc(5);
  header.write(code, 'latin1');
  header.writeInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([header, Buffer.from(body)]);
};

const read = [
  message('2', ''),
  message('D', 'a row'),
  message('C', 'SELECT 1\0'),
  message('Z', 'I'),
];
const later = [message('N', 'a notice'), message('S', 'name\0value\0')];
/** Of the next statement, which is sent when the reader has gone. */
const row = message('D', 'another row');
const stream = Buffer.concat([...read, ...later]);

test('what comes behind the last message of a reader reaches the tap, wherever it is cut', () => {
  for (let first = 1; first < stream.length; first += 1) {
    for (let second = first; second < stream.length; second += 1) {
      const { taken, passed, rows } = takeIn([
        stream.subarray(0, first),
        stream.subarray(first, second),
        stream.subarray(second),
        row,
      ]);
      expect(taken).toBe('2DCZ');
      expect(passed).toEqual(Buffer.concat(later));
      expect(rows).toEqual(['another row']);
    }
  }
});

test('a tap with a part of a message is not between messages', () => {
  const tap = new RowTap(() => undefined);
  expect(tap.isBetweenMessages).toBe(true);
  const notice = message('N', 'a notice');
  for (let cut = 1; cut < notice.length; cut += 1) {
    tap.take(notice.subarray(0, cut), false);
    expect(tap.isBetweenMessages).toBe(false);
    tap.take(notice.subarray(cut), false);
    expect(tap.isBetweenMessages).toBe(true);
  }
});

/** The reader goes at ReadyForQuery; lent chunks are overwritten. */
function takeIn(chunks: readonly Buffer[]) {
  let taken = '';
  const passed: Buffer[] = [];
  const rows: string[] = [];
  const tap = new RowTap((bytes) => passed.push(bytes));
  tap.sink = {
    keeps: false,
    take: (bytes, start) => {
      rows.push(bytes.toString('utf8', start, start + bytes.readInt32BE(start - 4) - 4));
    },
  };
  tap.reader = new MessageCutter({
    keepsRows: false,
    message(code, bytes, start, end) {
      if (tap.reader === undefined) return tap.pass(bytes.subarray(start, end));
      taken += String.fromCharCode(code);
      if (code === 'Z'.charCodeAt(0)) tap.reader = undefined;
    },
  });
  const socket = Buffer.alloc(1000);
  for (const chunk of chunks) {
    tap.take(socket.subarray(0, chunk.copy(socket)), true);
    socket.fill(0xee);
  }
  return { taken, passed: Buffer.concat(passed), rows };
}
