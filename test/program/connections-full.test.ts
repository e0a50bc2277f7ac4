/** A database that has no connection left: requests are refused until it has one again. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import mariadb from 'mariadb';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createThrowawayDatabase,
  makeTemporaryDirectory,
  withClient,
} from '../support/embedded.js';
import { loadedServers } from '../support/http-servers.js';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { type Answer, post, type Program, startProgram, until } from '../support/program.js';
import { connectionUrl } from '../support/sample.js';
import { writeShelfSchema } from '../support/shelf-schema.js';

/** A database whose user may have only one session. */
interface LimitedDatabase {
  readonly dialect: string;
  readonly url: string;
  /** Runs `work` while the user's only session is in use. */
  whileFull(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const TABLE = 'CREATE TABLE shelf (id integer PRIMARY KEY, name varchar(20))';
const ROW = "INSERT INTO shelf VALUES (1, 'a')";

describe('a full PostgreSQL', () => {
  suite(async () => {
    const { connection, drop } = await createThrowawayDatabase();
    const user = `limited_${randomUUID().replaceAll('-', '')}`;
    const run = (sql: string) => withClient(connection, (client) => client.query(sql));
    await run(`${TABLE}; ${ROW}; CREATE ROLE ${user} LOGIN CONNECTION LIMIT 1;
      GRANT ALL ON shelf TO ${user}`);
    const limited = { ...connection, user };
    return {
      dialect: 'PostgreSQL',
      url: connectionUrl(limited),
      whileFull: (work) =>
        withSession(async () => {
          const client = new pg.Client(limited);
          await client.connect();
          return client;
        }, work),
      stop: async () => {
        await run(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
        await drop();
      },
    };
  });
});

describeMariadb('a full MariaDB', () => {
  suite(async () => {
    const database = await createMariadbDatabase();
    const { host, port, database: name } = database.connection;
    const user = `limited_${randomUUID().slice(0, 8)}`;
    const password = randomUUID();
    const run = (sql: string) => database.withClient((client) => client.query(sql));
    await run(`${TABLE}; ${ROW};
      CREATE USER ${user}@'%' IDENTIFIED BY '${password}' WITH MAX_USER_CONNECTIONS 1;
      GRANT ALL ON ${name}.* TO ${user}@'%'`);
    const connection = { ...database.connection, user, password };
    return {
      dialect: 'MariaDB',
      url: `mysql://${user}:${password}@${host}:${port}/${name}`,
      whileFull: (work) => withSession(() => mariadb.createConnection(connection), work),
      stop: async () => {
        await run(`DROP USER ${user}@'%'`);
        await database.drop();
      },
    };
  });
});

/** Runs `work` with a session. The start of the program may still have one, to compare the tables. */
async function withSession(
  connect: () => Promise<{ end(): Promise<void> }>,
  work: () => Promise<void>,
): Promise<void> {
  const session = await until('the session is free', () => connect().catch(() => undefined));
  if (!session) throw new Error('The session is not free.');
  try {
    await work();
  } finally {
    await session.end();
  }
}

function suite(start: () => Promise<LimitedDatabase>): void {
  const folder = makeTemporaryDirectory();
  let database: LimitedDatabase;

  beforeAll(async () => {
    database = await start();
  });
  afterAll(async () => {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(http: string): Promise<Program> {
    const file = writeShelfSchema(folder, database.dialect, database.url);
    // The checks of the source would also need a session.
    const flags = ['--workers', '1', '--connections', '1', '--source-check-ms', '0'];
    return startProgram(['--schema', file, '--http-server', http, ...flags]);
  }

  test.each(loadedServers())('is unavailable until a connection is free, with %s', async (http) => {
    const program = await serve(http);
    const read = () => post(program, '/execute', { query: 'shelf.map(p=>p.id)' });
    const write = (text: string) =>
      post(program, '/execute', {
        query: 'shelf.update(p=>({name: text})).filter(p=>p.id==1)',
        data: { text },
      });
    try {
      await database.whileFull(async () => {
        for (const answer of [await read(), await write('b'), await read()]) expectFull(answer);
      });
      await until('it answers', async () => {
        const answer = await read();
        if (answer.status !== 200) expectUnavailable(answer);
        return answer.status === 200;
      });
      expect((await read()).json()).toEqual([{ id: 1 }]);
      expect((await write('c')).status).toBe(200);
    } finally {
      expect(await program.stop()).toBe(0);
    }
  });
}

function expectFull(answer: Answer): void {
  expectUnavailable(answer);
  expect(answer.json()).toMatchObject({
    detail: 'The database cannot be reached: it has no connection left.',
  });
}

function expectUnavailable(answer: Answer): void {
  expect(answer.json()).toMatchObject({ status: 503, code: 'source-unavailable' });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
}
