import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type EmbeddedDatabase,
  type EmbeddedOptions,
  startEmbedded,
} from '../../src/embedded/start-embedded.js';
import { makeTemporaryDirectory, withClient } from '../support/embedded.js';
import { until } from '../support/program.js';
import { parentPid, serverPid, siblingPids, untilEnded } from './processes.js';

let directory: string;
let dataDirectory: string;
let database: EmbeddedDatabase;
let events: Parameters<NonNullable<EmbeddedOptions['report']>>[0][];

beforeEach(async () => {
  directory = makeTemporaryDirectory();
  dataDirectory = join(directory, 'data');
  events = [];
  database = await startEmbedded({ dataDirectory, report: (event) => events.push(event) });
});

afterEach(async () => {
  await database.stop();
  rmSync(directory, { recursive: true, force: true });
});

const restarts = () => events.filter(({ kind }) => kind === 'database-restarted').length;

test('a killed server is restarted in the same place, with everything that was committed', async () => {
  await withClient(database.connection, (client) =>
    client.query('CREATE TABLE kept AS SELECT 7 AS number'),
  );
  for (const times of [1, 2]) {
    const pid = serverPid(dataDirectory);
    process.kill(pid, 'SIGKILL');
    await until('the server runs again', () => restarts() === times);
    expect(serverPid(dataDirectory)).not.toBe(pid);
    const { rows } = await withClient(database.connection, (client) =>
      client.query('SELECT number FROM kept'),
    );
    expect(rows).toEqual([{ number: 7 }]);
  }
  expect(events[0]).toMatchObject({ kind: 'database-lost' });
});

test.skipIf(process.platform !== 'linux')(
  'a server whose watchdog is killed is restarted, too (needs /proc)',
  async () => {
    const pid = serverPid(dataDirectory);
    for (const part of [...siblingPids(pid), parentPid(pid)]) process.kill(part, 'SIGKILL');
    await until('the server runs again', () => restarts() === 1);
    await untilEnded(pid);
    await withClient(database.connection, (client) => client.query('SELECT 1'));
  },
);

test('a stopped server is not restarted', async () => {
  const pid = serverPid(dataDirectory);
  await database.stop();
  await untilEnded(pid);
  expect(events).toEqual([]);
});
