/** Answers of MySQL and MariaDB with packets of wrong lengths. */
import net from 'node:net';
import { expect, test } from 'vitest';
import { MysqlConnection } from '../../../src/workers/database/mysql/connection.js';
import { runOf, sql } from '../../mariadb/mysql-source.js';

const STATEMENT = 7;
const DEPRECATED_EOF = 0xfe;
const AUTOCOMMIT = 2;
const INT = 3;

function packet(number: number, body: readonly number[]): Buffer {
  const header = Buffer.alloc(4);
  header.writeUIntLE(body.length, 0, 3);
  header[3] = number;
  return Buffer.concat([header, Buffer.from(body)]);
}

const int32 = (value: number) => [value, 0, 0, 0];
/** A column definition as far as it is read: six empty texts, and the type. */
const column = [0, 0, 0, 0, 0, 0, 12, 63, 0, ...int32(11), INT, 0, 0, 0, 0, 0];
const prepared = [0, ...int32(STATEMENT), 1, 0, 0, 0, 0, 0, 0];
const head = [1, 0];
const row = (value: number) => [0, 0, ...int32(value)];
const end = [DEPRECATED_EOF, 0, 0, AUTOCOMMIT, 0, 0, 0];
const ok = [0, 0, 0, AUTOCOMMIT, 0, 0, 0];

const answer = (value: number) => [packet(1, head), packet(2, row(value)), packet(3, end)];

/** What the server answers to a preparation, a command and two executions. */
const answers = [
  ...[packet(1, prepared), packet(2, column)],
  packet(1, ok),
  ...[...answer(11), ...answer(22)],
];

/** The rows of an execution, a command and another execution; undefined for those without an answer. */
async function rowsFor(packets: readonly Buffer[]): Promise<readonly unknown[]> {
  const socket = new net.Socket();
  socket.write = () => true;
  let lose: (error: unknown) => void = () => undefined;
  const client = {
    socket,
    threadId: 1,
    server: 'own',
    packetBytesMax: 1 << 24,
    onLost: (listener: (error: unknown) => void) => void (lose = listener),
    end: () => Promise.resolve(),
  };
  const canceller = { interrupt: () => Promise.resolve(), end: () => Promise.resolve() };
  const connection = new MysqlConnection(client, canceller, true);
  const select = sql('SELECT value FROM t');
  const command = { ...sql('SET @x = 1'), isCommand: true };
  const runs = [runOf([select]), runOf([command]), runOf([select])];
  for (const run of runs) connection.send(run);
  connection.flush();
  for (const bytes of packets) socket.emit('data', bytes);
  lose(new Error('The connection ended.'));
  return Promise.all(
    runs.map(({ ended }) =>
      ended.then(
        ([rows]) => rows?.flat(),
        () => undefined,
      ),
    ),
  );
}

const right = [['11'], [], ['22']];

test('are read if their lengths are right', async () => {
  expect(await rowsFor(answers)).toEqual(right);
});

test.each(answers.map((bytes, index) => [index, bytes.length - 4] as const))(
  'are not mixed up if packet %d does not seem to have its %d bytes',
  async (index, length) => {
    const most = answers.slice(index).reduce((sum, bytes) => sum + bytes.length, -4);
    for (let wrong = 0; wrong <= most; wrong += 1) {
      if (wrong === length) continue;
      const packets = answers.map((bytes) => Buffer.from(bytes));
      packets[index]?.writeUIntLE(wrong, 0, 3);
      for (const [run, rows] of (await rowsFor(packets)).entries()) {
        expect([wrong, rows]).toBeOneOf([
          [wrong, right[run]],
          [wrong, undefined],
        ]);
      }
    }
  },
);
