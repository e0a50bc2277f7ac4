/** The connection on which a pool has asked the database how it is. */
import { expect, test } from 'vitest';
import { createCancellation } from '../../../src/workers/cancellation.js';
import { Pool } from '../../../src/workers/database/pool.js';
import { SerialConnection } from './serial-connection.js';

test('a connection that is opened too late for a question is used for the next one', async () => {
  let opened: (connection: SerialConnection) => void = () => undefined;
  let connects = 0;
  const connect = () => {
    connects += 1;
    return new Promise<SerialConnection>((resolve) => (opened = resolve));
  };
  const pool = new Pool({ connect, connectionsMax: 1, waitMs: 1000 });
  expect(await pool.ask(() => Promise.resolve(true), 1)).toBe(false);
  opened(new SerialConnection());
  expect(await pool.ask(() => Promise.resolve(true), 10_000)).toBe(true);
  expect(connects).toBe(1);
  await pool.close();
});

test.each([
  ['is used again', false],
  ['is not used again if it is in a transaction', true],
])('%s', async (_name, isInTransaction) => {
  const asked = Object.assign(new SerialConnection(), { isInTransaction });
  const connections = [asked, new SerialConnection()];
  const connect = () => Promise.resolve(connections.shift() ?? new SerialConnection());
  const pool = new Pool({ connect, connectionsMax: 1, waitMs: 1000 });
  expect(await pool.ask(() => Promise.resolve(true), 1000)).toBe(true);
  const next = await pool.take(createCancellation());
  expect(next === asked).toBe(!isInTransaction);
  pool.give(next, true);
  await pool.close();
});
