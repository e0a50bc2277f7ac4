import { execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import { startEmbedded } from '../../src/embedded/start-embedded.js';
import { withClient } from '../support/embedded.js';
import { makeMemoryDirectory } from '../support/memory-directory.js';
import { serverPid, untilEnded } from './processes.js';

const made = makeMemoryDirectory('rowgate made ');
let directory: string;
let dataDirectory: string;

beforeAll(async () => {
  await (await startEmbedded({ dataDirectory: join(made, 'data') })).stop();
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

/** Provides the data folder of a start that has ended: to create a cluster takes longer than to copy it. */
function provideData(): void {
  execFileSync('cp', ['-a', join(made, 'data'), dataDirectory]);
}

beforeEach(() => {
  directory = makeMemoryDirectory('rowgate test ');
  dataDirectory = join(directory, 'the data');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a new folder becomes a database in UTF-8 and UTC without a network listener', async () => {
  const database = await startEmbedded({ dataDirectory });
  try {
    const settings = await withClient(database.connection, async (client) => {
      const { rows } = await client.query(`
        SELECT current_setting('listen_addresses') AS listen, current_setting('fsync') AS fsync,
          current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
          upper('é') AS upper`);
      return rows;
    });
    expect(settings).toEqual([
      { listen: '', fsync: 'on', encoding: 'UTF8', zone: 'UTC', upper: 'É' },
    ]);
  } finally {
    await database.stop();
  }
});

test('stopping twice stops once, and leaves neither server nor socket', async () => {
  provideData();
  const database = await startEmbedded({ dataDirectory });
  const pid = serverPid(dataDirectory);
  await Promise.all([database.stop(), database.stop()]);
  await untilEnded(pid);
  expect(existsSync(database.connection.host)).toBe(false);
});

test('a restart finds the rows from before', async () => {
  provideData();
  const first = await startEmbedded({ dataDirectory });
  await withClient(first.connection, (client) =>
    client.query('CREATE TABLE kept AS SELECT 7 AS n'),
  );
  await first.stop();
  const second = await startEmbedded({ dataDirectory });
  const { rows } = await withClient(second.connection, (client) => client.query('TABLE kept'));
  await second.stop();
  expect(rows).toEqual([{ n: 7 }]);
});

test('a stop ends open sessions', async () => {
  provideData();
  const database = await startEmbedded({ dataDirectory });
  await withClient(database.connection, async (client) => {
    const ended = new Promise((resolve) => client.on('error', resolve));
    await database.stop();
    expect(String(await ended)).toContain('terminat');
  });
});

test('a second start on the same folder fails, and the first one keeps running', async () => {
  provideData();
  const first = await startEmbedded({ dataDirectory });
  try {
    await expect(startEmbedded({ dataDirectory })).rejects.toMatchObject({ code: 'data-in-use' });
    const answer = await withClient(first.connection, (client) => client.query('SELECT 1 AS one'));
    expect(answer.rows).toEqual([{ one: 1 }]);
  } finally {
    await first.stop();
  }
});

test('a server that crashed is started again, even if its pid belongs to another process by now', async () => {
  provideData();
  const first = await startEmbedded({ dataDirectory });
  const file = join(dataDirectory, 'cluster', 'postmaster.pid');
  const [, ...lines] = readFileSync(file, 'utf8').split('\n');
  await first.stop();
  // PostgreSQL ignores processes of other users by itself.
  const { uid, gid } = statSync(join(dataDirectory, 'cluster'));
  const other = spawn('sleep', ['60'], { uid, gid });
  try {
    writeFileSync(file, [other.pid, ...lines].join('\n'));
    chownSync(file, uid, gid);
    const second = await startEmbedded({ dataDirectory });
    expect(second.stoppedOrphan).toBeUndefined();
    expect(other.exitCode).toBeNull();
    await second.stop();
  } finally {
    other.kill();
  }
});

test('the lock of a process that has ended is ignored', async () => {
  provideData();
  // The pid of this process, with the start time of another one.
  writeFileSync(join(dataDirectory, 'owner'), `${process.pid} 1\n`);
  const database = await startEmbedded({ dataDirectory });
  await database.stop();
  expect(existsSync(join(dataDirectory, 'owner'))).toBe(false);
});

describe('the lock of another container', () => {
  const lock = () => join(dataDirectory, 'owner');
  /** Touches it by a clock that is so far from the one here. */
  const touch = (offMs = 0) => {
    const time = new Date(Date.now() + offMs);
    utimesSync(lock(), time, time);
  };
  const leaveLock = (offMs: number) => {
    mkdirSync(dataDirectory, { recursive: true });
    writeFileSync(lock(), `${process.pid} 1\nanother-boot pid:[1]\n`);
    touch(offMs);
  };

  test.each([0, -3_600_000, 3_600_000])(
    'is respected while its owner touches it, whose clock is off by %d ms',
    async (offMs) => {
      leaveLock(offMs);
      const owner = setInterval(() => touch(offMs), 500);
      onTestFinished(() => clearInterval(owner));
      const failure = startEmbedded({ dataDirectory });
      await expect(failure).rejects.toMatchObject({ code: 'data-in-use' });
      await expect(failure).rejects.toThrow(`process ${process.pid} of another container`);
      expect(existsSync(join(dataDirectory, 'cluster'))).toBe(false);
    },
  );

  test('is ignored when its owner has not touched it for long', async () => {
    provideData();
    leaveLock(-12_000);
    const begin = performance.now();
    const events: object[] = [];
    const database = await startEmbedded({ dataDirectory, report: (event) => events.push(event) });
    expect(performance.now() - begin).toBeGreaterThan(7000);
    const waitMs: unknown = expect.any(Number);
    expect(events).toEqual([{ kind: 'database-awaited', dataDirectory, waitMs }]);
    const { mtimeMs } = statSync(lock());
    await expect.poll(() => statSync(lock()).mtimeMs).toBeGreaterThan(mtimeMs);
    await database.stop();
    expect(existsSync(lock())).toBe(false);
  });
});

test('an incomplete cluster is created again', async () => {
  mkdirSync(join(dataDirectory, 'cluster.making.1', 'base'), { recursive: true });
  writeFileSync(join(dataDirectory, 'cluster.making.1', 'PG_VERSION'), '18\n');
  const database = await startEmbedded({ dataDirectory });
  await database.stop();
  expect(readdirSync(dataDirectory).sort()).toEqual(['cluster', 'server.log']);
});

test('a server that crashed starts with the committed rows', async () => {
  provideData();
  const first = await startEmbedded({ dataDirectory });
  await withClient(first.connection, (client) =>
    client.query('CREATE TABLE kept AS SELECT 7 AS n'),
  );
  const pid = serverPid(dataDirectory);
  process.kill(pid, 'SIGKILL');
  await untilEnded(pid);
  await first.stop();
  const second = await startEmbedded({ dataDirectory });
  const { rows } = await withClient(second.connection, (client) => client.query('TABLE kept'));
  await second.stop();
  expect(rows).toEqual([{ n: 7 }]);
});

test.each([
  { what: 'of another major version', version: '17\n', code: 'version-mismatch' },
  { what: 'that is not one of PostgreSQL', version: undefined, code: 'data-unusable' },
])('a cluster $what is left unchanged', async ({ version, code }) => {
  mkdirSync(join(dataDirectory, 'cluster'), { recursive: true });
  if (version !== undefined) writeFileSync(join(dataDirectory, 'cluster', 'PG_VERSION'), version);
  await expect(startEmbedded({ dataDirectory })).rejects.toMatchObject({ code });
  expect(existsSync(join(dataDirectory, 'owner'))).toBe(false);
});

test('a data folder that is a file is an error that names it', async () => {
  writeFileSync(dataDirectory, '');
  const failure = startEmbedded({ dataDirectory });
  await expect(failure).rejects.toMatchObject({ code: 'data-unusable' });
  await expect(failure).rejects.toThrow(dataDirectory);
});

test('a server that cannot start reports why', async () => {
  provideData();
  rmSync(join(dataDirectory, 'cluster', 'global', 'pg_control'));
  const failure = startEmbedded({ dataDirectory });
  await expect(failure).rejects.toMatchObject({ code: 'start-failed' });
  await expect(failure).rejects.toThrow('database system');
});
