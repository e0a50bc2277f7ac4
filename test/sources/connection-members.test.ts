/** The members of a connection in a schema file, on real servers. */
import { describe, expect, test } from 'vitest';
import { type DialectName, loadSchema } from '../../src/engine/index.js';
import { connectTables } from '../../src/workers/database/drivers.js';
import { useOwnMariadb, useOwnPostgresql } from '../introspect/own-database.js';
import { connectionOptions } from '../../src/workers/database/mysql/options.js';
import { describeMariadb } from '../support/mariadb.js';

const TABLE = 'CREATE TABLE reached (id int PRIMARY KEY)';
const nowhere = { port: 1, host: 'database.invalid' };

/** The tables over the connection of a schema file. */
async function tablesOver(dialect: DialectName, connection: unknown): Promise<readonly string[]> {
  const infrastructure = { sources: [{ name: 'main', dialect, connection }] };
  const [source] = loadSchema({ domain: { entities: [] }, infrastructure }).sources;
  const client = await connectTables({ dialect, connection: source?.connection ?? {} });
  try {
    return (await client.readTables([])).map(({ name }) => name);
  } finally {
    await client.close();
  }
}

describe('a connection to PostgreSQL', () => {
  const database = useOwnPostgresql(TABLE);
  const places = () => {
    const url = new URL(database.url.replace('@/', '@localhost/'));
    const folder = url.searchParams.get('host') ?? '';
    const port = url.searchParams.get('port') ?? '';
    const name = url.pathname.slice(1);
    return { folder, port, socket: `${folder}/.s.PGSQL.${port}`, user: url.username, name };
  };

  test('socketPath is the folder of the socket', async () => {
    const { folder, port, user, name } = places();
    const connection = { socketPath: folder, port, user, database: name };
    expect(await tablesOver('PostgreSQL', connection)).toEqual(['reached']);
  });

  test.each(['socketPath', 'host'])('%s is the socket itself', async (member) => {
    const { socket, user, name } = places();
    const connection = { ...nowhere, [member]: socket, user, database: name };
    expect(await tablesOver('PostgreSQL', connection)).toEqual(['reached']);
  });

  test('members take precedence over those of a URL', async () => {
    const { socket, user, name } = places();
    const members = { user, password: 'p w+?&#', database: name, socketPath: socket };
    const url = 'postgresql://somebody:secret@database.invalid:1/nothing?application_name=me';
    for (const each of [url, 'postgresql://database.invalid', 'postgresql:///nothing']) {
      expect(await tablesOver('PostgreSQL', { url: each, ...members })).toEqual(['reached']);
    }
  });
});

describeMariadb('a connection', () => {
  const database = useOwnMariadb(TABLE);
  const members = async () => {
    const [[path, user] = []] = await database.texts(
      "SELECT @@socket, substring_index(current_user(), '@', 1)",
    );
    return { socketPath: path, user, database: new URL(database.url).pathname.slice(1) };
  };

  test('socketPath is the socket', async () => {
    expect(await tablesOver('MariaDB', { ...nowhere, ...(await members()) })).toEqual(['reached']);
  });

  test('a URL that demands TLS in the words of another driver is not reached without it', async () => {
    for (const none of ['ssl=false', 'useSSL=false', 'ssl-mode=DISABLED', 'charset=utf8mb4']) {
      expect(await tablesOver('MariaDB', `${database.url}?${none}`)).toEqual(['reached']);
    }
    for (const parameter of ['ssl-mode=REQUIRED', 'sslmode=require', 'useSSL=true', 'tls=true']) {
      const url = `${database.url}?${parameter}`;
      for (const connection of [url, { url }]) {
        await expect(tablesOver('MariaDB', connection)).rejects.toThrow('has no parameter');
      }
    }
  });

  test('ssl in a URL can be switched off in several ways', async () => {
    for (const off of ['0', 'no', 'False', 'off']) {
      expect(await tablesOver('MariaDB', `${database.url}?ssl=${off}`)).toEqual(['reached']);
    }
    await expect(tablesOver('MariaDB', `${database.url}?ssl=1`)).rejects.toThrow('with ssl');
  });

  test('a % in a URL must be escaped', async () => {
    const url = 'mysql://somebody:p%w@database.invalid/nothing';
    await expect(tablesOver('MariaDB', url)).rejects.toThrow("a % must be written as '%25'");
  });

  test('members take precedence over those of a URL', async () => {
    const url = 'mysql://somebody@database.invalid:1/nothing';
    expect(await tablesOver('MariaDB', { url, ...(await members()) })).toEqual(['reached']);
  });
});

test.each([
  [{ host: 'db.example' }, false],
  [{}, true],
  [{ host: '127.0.0.1' }, true],
  [{ host: '127.0.0.1', allowPublicKeyRetrieval: false }, false],
  ['mysql://localhost/shop', true],
  ['mysql://[::1]:3307/shop', true],
  ['mysql://localhost.example/shop', false],
  ['mysql://127.0.0.1.example/shop', false],
  [{ host: '127.example' }, false],
  [{ host: 'db.example', allowPublicKeyRetrieval: true }, true],
  [{ host: 'db.example', allowPublicKeyRetrieval: 'true' }, true],
  ['mysql://db.example/shop?allowPublicKeyRetrieval=true', true],
  ['mysql://db.example/shop?allowPublicKeyRetrieval=false', false],
])('%j lets the server send its public key: %s', (connection, expected) => {
  const infrastructure = { sources: [{ name: 'main', dialect: 'MySQL', connection }] };
  const [source] = loadSchema({ domain: { entities: [] }, infrastructure }).sources;
  const options = connectionOptions(source?.connection ?? {}, { connectTimeoutMs: 1000 });
  expect(options.allowPublicKeyRetrieval).toBe(expected);
});
