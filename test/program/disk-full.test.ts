/**
 * A database whose disk is full: writes that need room are refused, reads are answered, and both are
 * answered again when there is room.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import mariadb from 'mariadb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory, startTestCluster, withClient } from '../support/embedded.js';
import { describeOwnMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram, until } from '../support/program.js';
import { connectionUrl } from '../support/sample.js';
import { writeShelfSchema } from '../support/shelf-schema.js';

const ROOM_MIB = 16;
/** Rows of a request, which have about half a kilobyte each. */
const ROWS = 500;
const REQUESTS_MAX = 100;

/** A database with the empty table `shelf`, which has little room. */
interface SmallDatabase {
  readonly dialect: string;
  readonly url: string;
  /** Takes up the room that is left, but for a remainder. */
  fill(): Promise<void>;
  /** Makes room again. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

type Run = (sql: string) => Promise<unknown>;

const TABLES = ['shelf', 'filler'].map(
  (name) => `CREATE TABLE ${name} (id int, name varchar(1000))`,
);

/** Whether this process may mount file systems, as root outside a container. */
function mayMount(): boolean {
  const folder = makeTemporaryDirectory();
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', ['--lazy', folder]);
    return true;
  } catch {
    return false;
  }
}

/** Doubles the filler until that fails. */
async function fillUp(run: Run): Promise<void> {
  await run("INSERT INTO filler VALUES (1, repeat('x', 1000))");
  await expect(
    (async () => {
      for (let doubled = 0; doubled < 30; doubled += 1)
        await run('INSERT INTO filler SELECT * FROM filler');
    })(),
  ).rejects.toMatchObject({ message: expect.stringMatching(/No space left|is full/) });
}

// Without the right to mount a small file system, only MariaDB is tested.
describe.each(mayMount() ? ['PostgreSQL'] : [])('%s with a full disk', () => {
  suite(async () => {
    const cluster = await startTestCluster();
    const { connection } = cluster;
    const run: Run = (sql) => withClient(connection, (client) => client.query(sql));
    const disk = makeTemporaryDirectory();
    const mountSized = (way: string, mib: number): void => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `${way}size=${mib}m`, 'tmpfs', disk]);
    };
    const unmount = () => void spawnSync('umount', ['--lazy', disk]);
    try {
      mountSized('', ROOM_MIB);
      const { uid, gid } = statSync(connection.host);
      const location = join(disk, 'tables');
      mkdirSync(location);
      for (const folder of [disk, location]) chownSync(folder, uid, gid);
      await run(`CREATE TABLESPACE small LOCATION '${location}'`);
      for (const table of TABLES) await run(`${table} TABLESPACE small`);
    } catch (error) {
      await cluster.stop();
      unmount();
      throw error;
    }
    return {
      dialect: 'PostgreSQL',
      url: connectionUrl(connection),
      fill: () => fillUp(run),
      clear: async () => mountSized('remount,', 4 * ROOM_MIB),
      stop: () => cluster.stop().finally(unmount),
    };
  });
});

describeOwnMariadb('a full disk', (startServer) => {
  suite(async () => {
    const path = `ibdata1:12M:autoextend:max:${12 + ROOM_MIB}M`;
    const options = [`--innodb-data-file-path=${path}`, '--innodb-file-per-table=0'];
    const { server, stop } = await startServer(options);
    const client = await mariadb.createConnection(server);
    const run: Run = (sql) => client.query(sql);
    for (const sql of ['CREATE DATABASE stock', 'USE stock', ...TABLES]) await run(sql);
    return {
      dialect: 'MariaDB',
      url: `mysql://root:@${server.host}:${server.port}/stock`,
      fill: () => fillUp(run),
      clear: async () => void (await run('TRUNCATE filler')),
      stop: async () => {
        await client.end();
        await stop();
      },
    };
  });
});

function suite(start: () => Promise<SmallDatabase>): void {
  let database: SmallDatabase;
  let program: Program;
  beforeAll(async () => {
    database = await start();
    const schema = writeShelfSchema(makeTemporaryDirectory(), database.dialect, database.url);
    program = await startProgram(['--schema', schema, '--workers', '1']);
  });
  afterAll(async () => {
    try {
      expect(await program.stop()).toBe(0);
    } finally {
      await database.stop();
    }
  });

  const insert = (from: number) => {
    const rows = Array.from({ length: ROWS }, (_, n) => ({ id: from + n, name: 'y'.repeat(500) }));
    return post(program, '/execute', { query: 'shelf.bulkInsert()', data: rows });
  };
  const count = () => rowsOf(program, 'shelf.map(p=>({n:count(1)}))');

  test('refuses writes until there is room, and reads go on', async () => {
    expect((await insert(0)).status).toBe(200);
    await database.fill();
    let stored = ROWS;
    let answer = await insert(stored);
    for (let sent = 0; answer.status === 200; sent += 1) {
      expect(sent).toBeLessThan(REQUESTS_MAX);
      stored += ROWS;
      answer = await insert(stored);
    }
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({ code: 'source-unavailable' });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await insert(stored)).status).toBe(503);
    for (let times = 0; times < 20; times += 1) expect(await count()).toEqual([{ n: stored }]);
    await database.clear();
    // MariaDB frees the pages of a table some time later.
    await until('there is room', async () => (await insert(stored)).status === 200);
    expect(await count()).toEqual([{ n: stored + ROWS }]);
  });
}
