/** Another schema has replaced that of a worker: its connections are closed when nothing uses them. */
import { expect, onTestFinished, test } from 'vitest';
import { createCancellation } from '../../../src/workers/cancellation.js';
import { Pool } from '../../../src/workers/database/pool.js';
import { SharedConnections } from '../../../src/workers/execute/shared-connections.js';
import { until } from '../../support/program.js';
import { SerialConnection, workOf } from './serial-connection.js';

test('a pool that keeps none closes idle and shared connections, and those that are returned', async () => {
  const opened: SerialConnection[] = [];
  const connect = async () => {
    const connection = new SerialConnection();
    opened.push(connection);
    return connection;
  };
  const pool = new Pool({ connect, connectionsMax: 4, waitMs: 1000 });
  const shared = new SharedConnections({
    pool,
    statementTimeoutMs: 1000,
    waitMs: 1000,
    onRoom: () => undefined,
    onUnavailable: () => undefined,
  });
  const run = () => new Promise((resolve) => shared.sendOrQueue(workOf(1, resolve)));
  const timer = setInterval(() => shared.tick(performance.now()), 10);
  onTestFinished(() => clearInterval(timer));
  await run();
  const idle = await pool.take(createCancellation());
  const used = await pool.take(createCancellation());
  pool.give(idle, true);
  const alive = () => opened.filter(({ isAlive }) => isAlive);
  expect(alive()).toHaveLength(3);
  pool.keepNone();
  await until('only the one in use is open', () => alive().length === 1);
  pool.give(used, true);
  expect(alive()).toEqual([]);
  expect(await run()).toBeUndefined();
  expect(opened).toHaveLength(4);
  await until('its connection is closed', () => alive().length === 0);
});
