/** What a person reads whose address does not lead to a database. */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draftDatabase } from '../../src/project/draft-database.js';
import { connectFault } from '../../src/workers/database/connect-fault.js';
import { connectTables } from '../../src/workers/database/drivers.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { freePort } from '../support/free-port.js';
import { describeMariadb } from '../support/mariadb.js';
import { post, runCommand, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

async function faultOf(dialect: 'PostgreSQL' | 'MySQL', url: string): Promise<string> {
  const attempt = connectTables({ dialect, connection: { url } });
  return attempt.then(
    async (connection) => {
      await connection.close();
      return 'It was reached.';
    },
    (error: Error) => error.message,
  );
}

describe('an address without a database', () => {
  let http: Server;
  let silent: Server;
  beforeAll(async () => {
    http = createHttpServer((_request, response) => response.end());
    silent = createServer();
    await Promise.all([listen(http), listen(silent)]);
  });
  afterAll(() => {
    http.close();
    silent.close();
  });

  test('a port on which nothing listens', async () => {
    const port = await freePort();
    const why =
      'cannot be reached: the connection was refused. Does it run there, and is the port the right one?';
    const place = `127.0.0.1:${port}`;
    expect(await faultOf('PostgreSQL', `postgres://u:secret@${place}/x`)).toBe(
      `PostgreSQL at ${place} ${why}`,
    );
    expect(await faultOf('MySQL', `mysql://u:secret@${place}/x`)).toBe(
      `MySQL or MariaDB at ${place} ${why}`,
    );
  });

  test('an address that is not a URL', async () => {
    for (const place of ['database.invalid:99999', 'database.invalid:port']) {
      expect(await faultOf('PostgreSQL', `postgres://u:secret@${place}/x`)).toMatch(
        /^The address of PostgreSQL is not a valid URL: the port must be/,
      );
      expect(await faultOf('MySQL', `mysql://u:secret@${place}/x`)).toMatch(
        /^The address of MySQL or MariaDB is not a valid URL: the port must be/,
      );
    }
  });

  test('a URL without a user, if the account has no name either', () => {
    const cause = new Error('no PostgreSQL user name specified in startup packet');
    const connection = { url: 'postgresql:///shop?host=/run/postgresql' };
    expect(connectFault('PostgreSQL', connection, cause).message).toMatch(
      /startup packet\. Name the user in the address: postgresql:\/\/USER@…\.$/,
    );
  });

  test('a host that does not exist', async () => {
    expect(await faultOf('PostgreSQL', 'postgres://u:secret@database.invalid/x')).toBe(
      'PostgreSQL at database.invalid:5432 cannot be reached: this host is unknown.',
    );
    expect(await faultOf('MySQL', 'mysql://u:secret@database.invalid/x')).toBe(
      'MySQL or MariaDB at database.invalid:3306 cannot be reached: this host is unknown.',
    );
  });

  test('a password with special characters, which end the host', async () => {
    const hint = 'this host is unknown. Special characters of a password must be percent-encoded.';
    expect(await faultOf('PostgreSQL', 'postgres://u:p@database.invalid/w@127.0.0.1/x')).toBe(
      `PostgreSQL at database.invalid:5432 cannot be reached: ${hint}`,
    );
  });

  test('a demand of TLS that the driver does not know', async () => {
    const place = `127.0.0.1:${await freePort()}/x`;
    for (const [url, problem] of [
      [`mysql://u@${place}?ssl-mode=REQUIRED`, "no parameter 'ssl-mode'. Write 'ssl=true'"],
      [`postgres://u@${place}?sslmod=require`, "no parameter 'sslmod'. Write 'sslmode=require'"],
      [`postgres://u@${place}?tls=true`, "no parameter 'tls'. Write 'sslmode=require'"],
    ] as const) {
      await expect(draftDatabase({ url, schemas: [] })).rejects.toThrow(problem);
    }
    const known = `postgres://u@${place}?sslmode=disable&sslsni=1&ssl=false`;
    await expect(draftDatabase({ url: known, schemas: [] })).rejects.toThrow('was refused');
  });

  test('a server of something else', async () => {
    expect(await faultOf('PostgreSQL', `postgres://u:secret@127.0.0.1:${portOf(http)}/x`)).toBe(
      `PostgreSQL at 127.0.0.1:${portOf(http)} cannot be reached: what answers there is not PostgreSQL.`,
    );
  });

  test('a server that waits for its client', { timeout: 30_000 }, async () => {
    const place = `127.0.0.1:${portOf(silent)}`;
    const why = 'cannot be reached: there was no answer in time.';
    const [first, second] = await Promise.all([
      faultOf('PostgreSQL', `postgres://u:secret@${place}/x`),
      faultOf('MySQL', `mysql://u:secret@${place}/x`),
    ]);
    expect(first).toBe(
      `PostgreSQL at ${place} ${why} Is it PostgreSQL, and the port the right one?`,
    );
    expect(second).toBe(
      `MySQL or MariaDB at ${place} ${why} Is it MySQL or MariaDB, and the port the right one?`,
    );
  });
});

describe('on PostgreSQL', () => {
  refused(useOwnPostgresql('SELECT 1'), 'PostgreSQL', /database "nowhere" does not exist$/);
});

describeMariadb('an address of another database', () => {
  refused(useOwnMariadb('SELECT 1'), 'MySQL', /'nowhere'/);
});

describeMariadb('a connection that names no database', () => {
  const database = useOwnMariadb('CREATE TABLE thing (id integer PRIMARY KEY)');

  test('is reported by every command and by requests', async () => {
    const file = join(makeTemporaryDirectory(), 'schema.yaml');
    await runCommand(['introspect', database.url, '--output', file]);
    const url = database.url.replace(/[^/]+$/, '');
    const reported = expect.stringContaining('names no database: add its name');
    const commands = ['diff', 'check --connect', 'push', 'serve --strict', 'query Thing'];
    const results = [['introspect', url], ...commands.map((each) => each.split(' '))].map(
      async (words) => {
        const flags = words[0] === 'introspect' ? [] : ['--schema', file];
        return runCommand([...words, ...flags], { DATABASE_URL: url });
      },
    );
    const failed = { code: 1, stderr: reported };
    expect(await Promise.all(results)).toMatchObject(results.map(() => failed));

    const program = await startProgram(['--schema', file, '--workers', '1'], { DATABASE_URL: url });
    const { status, text } = await post(program, '/execute', { query: 'Thing' });
    await program.stop();
    expect([status, text]).toEqual([500, reported]);
  });
});

function refused(database: OwnDatabase, dialect: 'PostgreSQL' | 'MySQL', message: RegExp): void {
  test('what the server answers is told', async () => {
    const fault = await faultOf(dialect, database.url.replace(/\/\w+(?=\?|$)/, '/nowhere'));
    expect(fault).toMatch(
      /^(PostgreSQL at \/|MySQL or MariaDB at \S+:\d+ |MySQL or MariaDB at \/)/,
    );
    expect(fault).toMatch(message);
  });
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
