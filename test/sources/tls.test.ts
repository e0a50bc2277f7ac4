/** Connections to databases with TLS, without TLS, and with a refusal of either. */
import {
  chmodSync,
  chownSync,
  copyFileSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import mariadb from 'mariadb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedDatabase, startEmbedded } from '../../src/embedded/start-embedded.js';
import { connectTables } from '../../src/workers/database/drivers.js';
import { connectClient } from '../../src/workers/database/postgresql/connect.js';
import { clientOptions } from '../../src/workers/database/postgresql/options.js';
import { connectionOptions } from '../../src/workers/database/mysql/options.js';
import { makeTemporaryDirectory, withClient } from '../support/embedded.js';
import { freePort } from '../support/free-port.js';
import { describeOwnMariadb, type MariadbServer } from '../support/mariadb.js';
import { makeMemoryDirectory } from '../support/memory-directory.js';
import { post, rowsOf, startProgram, until } from '../support/program.js';

/**
 * Self-signed certificates for these tests only: one for `localhost`, and one that the server does not
 * have.
 */
const certificate = (name: string) =>
  fileURLToPath(new URL(`./certificates/${name}`, import.meta.url));
const right = certificate('localhost.crt');
const wrong = certificate('other.crt');
const require = 'sslmode=require';
const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 0 };

/** A separate server, on which `secure` may connect only with TLS, and `plain` only without it. */
/** A cipher that no server of today accepts. */
const OLD = 'NULL-SHA256';

describe('TLS to PostgreSQL', () => {
  const directory = makeMemoryDirectory('rowgate-tls-');
  let server: EmbeddedDatabase;
  let port: number;

  async function configure(settings: string): Promise<void> {
    await withClient(server.connection, async (client) => {
      await client.query(settings);
      const before = await client.query('SELECT pg_conf_load_time()::text AS at');
      await client.query('SELECT pg_reload_conf()');
      // The server uses a new configuration for new sessions only.
      await until('the settings are loaded', async () => {
        const now = await client.query('SELECT pg_conf_load_time()::text AS at');
        return now.rows[0].at !== before.rows[0].at;
      });
    });
  }

  beforeAll(async () => {
    port = await freePort();
    server = await startEmbedded({
      dataDirectory: directory,
      durability: 'disposable',
      tcpPort: port,
    });
    const places = await withClient(server.connection, async (client) => {
      await client.query('CREATE ROLE secure LOGIN; CREATE ROLE plain LOGIN');
      await client.query('CREATE TABLE thing (id int PRIMARY KEY, name text)');
      await client.query('GRANT SELECT ON thing TO secure');
      await client.query(
        "INSERT INTO thing SELECT i, repeat('x', 100) FROM generate_series(1, 2000) i",
      );
      const found = await client.query(
        "SELECT current_setting('hba_file') AS hba, current_setting('data_directory') AS data",
      );
      return found.rows[0] as { readonly hba: string; readonly data: string };
    });
    writeFileSync(
      places.hba,
      [
        'host all rowgate all trust',
        'hostssl all secure all trust',
        'local all all trust',
        'hostnossl all plain all trust',
      ].join('\n'),
    );
    const { uid, gid } = statSync(places.data);
    for (const name of ['localhost.crt', 'localhost.key']) {
      copyFileSync(certificate(name), join(places.data, name));
      chownSync(join(places.data, name), uid, gid);
      chmodSync(join(places.data, name), 0o600);
    }
    await configure("ALTER SYSTEM SET ssl_cert_file = 'localhost.crt'");
    await configure("ALTER SYSTEM SET ssl_key_file = 'localhost.key'");
    await configure("ALTER SYSTEM SET ssl = 'on'");
    await until('TLS is served', async () => (await connectAs('rowgate', require)) === 'encrypted');
  });
  afterAll(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Whether the connection is encrypted, or that it is refused. */
  async function connectAs(user: string, parameters: string, host = '127.0.0.1') {
    const url = `postgresql://${user}@${host}:${port}/postgres?${parameters}`;
    return encrypted({ url });
  }

  async function encrypted(connection: Parameters<typeof connectClient>[0]) {
    try {
      const client = await connectClient(connection, limits);
      const { rows } = await client.query(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      await client.end();
      return rows[0].ssl === true ? 'encrypted' : 'plain';
    } catch {
      return 'refused';
    }
  }

  test.each([
    ['disable', 'rowgate', 'plain'],
    ['disable', 'secure', 'refused'],
    ['allow', 'rowgate', 'plain'],
    ['allow', 'secure', 'encrypted'],
    ['prefer', 'rowgate', 'encrypted'],
    ['prefer', 'plain', 'plain'],
    ['require', 'rowgate', 'encrypted'],
    ['require', 'plain', 'refused'],
    ['verify-full', 'rowgate', 'refused'],
    ['other', 'rowgate', 'refused'],
  ])('sslmode=%s of %s is %s', async (mode, user, outcome) => {
    expect(await connectAs(user, `sslmode=${mode}`)).toBe(outcome);
  });

  test.each([
    ['secure', 'sslmode=disable', 'If it requires TLS, add sslmode=require to the address.'],
    ['rowgate', 'sslmode=verify-full', 'Name its authority with sslrootcert=FILE;'],
    ['rowgate', 'sslmode=no-verify', 'it is disable, allow, prefer, require,'],
  ])('who connects as %s with %s reads what to do', async (user, parameters, hint) => {
    const url = `postgresql://${user}@127.0.0.1:${port}/postgres?${parameters}`;
    const attempt = connectTables({ dialect: 'PostgreSQL', connection: { url } });
    await expect(attempt).rejects.toThrow(hint);
  });

  test.each([
    ['require', '127.0.0.1', right, 'encrypted'],
    ['require', '127.0.0.1', wrong, 'refused'],
    ['verify-ca', '127.0.0.1', right, 'encrypted'],
    ['verify-ca', '127.0.0.1', wrong, 'refused'],
    ['verify-full', 'localhost', right, 'encrypted'],
    ['verify-full', '127.0.0.1', right, 'refused'],
    ['verify-full', 'localhost', wrong, 'refused'],
    ['prefer', '127.0.0.1', '/no/such/file', 'refused'],
  ])('sslmode=%s to %s by the certificate %s is %s', async (mode, host, file, outcome) => {
    const parameters = `sslmode=${mode}&sslrootcert=${encodeURIComponent(file)}`;
    expect(await connectAs('rowgate', parameters, host)).toBe(outcome);
  });

  test.each([
    ['sslrootcert=system', 'refused'],
    ['sslrootcert=system&sslmode=verify-full', 'refused'],
    ['sslrootcert=system&sslmode=disable', 'refused'],
    ['sslrootcert=system&sslmode=prefer', 'refused'],
    ['sslrootcert=system&sslmode=require', 'refused'],
    ['sslrootcert=system&sslmode=verify-ca', 'refused'],
  ])(
    '%s is %s, because no authority has signed the certificate of the server',
    async (parameters, outcome) => {
      expect(await connectAs('rowgate', parameters, 'localhost')).toBe(outcome);
    },
  );

  test('sslrootcert=system checks the name and the authority of the server', () => {
    const url = 'postgresql://rowgate@localhost/postgres?sslrootcert=system';
    expect(clientOptions({ url })).toEqual([expect.objectContaining({ ssl: {} })]);
    expect(() => clientOptions({ url: `${url}&sslmode=verify-ca` })).toThrow('too weak');
  });

  test('a socket is never encrypted, whatever the mode', async () => {
    const { rows } = await withClient(server.connection, (client) =>
      client.query(
        "SELECT trim(BOTH '\"' FROM current_setting('unix_socket_directories')) AS folder",
      ),
    );
    const host = encodeURIComponent(String(rows[0].folder));
    const url = `postgresql://rowgate@/postgres?host=${host}&port=${port}&sslmode=verify-full`;
    expect(await encrypted({ url })).toBe('plain');
  });

  test.each([
    ['ssl=true', 'refused'],
    ['ssl=off', 'plain'],
    ['ssl=false&sslmode=require', 'encrypted'],
    ['ssl=true&sslmode=disable', 'plain'],
  ])('%s: the connection is %s', async (parameters, outcome) => {
    expect(await connectAs('rowgate', parameters)).toBe(outcome);
  });

  test('an object of options is as strict as Node.js is', async () => {
    const place = { host: 'localhost', port, user: 'rowgate', database: 'postgres' };
    const ca = readFileSync(right, 'utf8');
    expect(await encrypted({ ...place, ssl: { ca } })).toBe('encrypted');
    expect(await encrypted({ ...place, ssl: { ca, servername: 'other.example' } })).toBe('refused');
    expect(await encrypted({ ...place, host: '127.0.0.1', ssl: { ca } })).toBe('refused');
    const named = { ca, servername: 'localhost' };
    expect(await encrypted({ ...place, host: '127.0.0.1', ssl: named })).toBe('encrypted');
    expect(await encrypted({ ...place, ssl: true })).toBe('refused');
    expect(await encrypted({ ...place, ssl: { rejectUnauthorized: false } })).toBe('encrypted');
    expect(await encrypted({ ...place, ssl: { ca, minVersion: 'TLSv1.3' } })).toBe('encrypted');
    const other = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;
    expect(await encrypted({ ...place, ssl: { ca, ...other, ciphers: OLD } })).toBe('refused');
  });

  test('rows are read, and statements are stopped, through it', async () => {
    const parameters = `sslmode=verify-full&sslrootcert=${encodeURIComponent(right)}`;
    const url = `postgresql://rowgate@localhost:${port}/postgres?${parameters}`;
    await withClient(server.connection, (client) =>
      client.query('CREATE VIEW slow AS SELECT 1 AS id FROM pg_sleep(60)'),
    );
    const program = await startProgram([
      '--url',
      url,
      '--workers',
      '1',
      '--statement-timeout-ms',
      '500',
    ]);
    try {
      expect(await rowsOf(program, 'Thing.sort(p=>p.id)')).toHaveLength(2000);
      expect((await post(program, '/execute', { query: 'Slow' })).status).toBe(504);
      await until('the statement is stopped', () =>
        withClient(server.connection, async (client) => {
          const sleeping = "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
          return (await client.query(sleeping)).rowCount === 0;
        }),
      );
    } finally {
      await program.stop();
    }
  });

  test('if the server has no TLS, only modes that allow plain connections connect', async () => {
    await configure("ALTER SYSTEM SET ssl = 'off'");
    await until('it is not', async () => (await connectAs('rowgate', require)) === 'refused');
    expect(await connectAs('rowgate', 'sslmode=prefer')).toBe('plain');
    expect(await connectAs('rowgate', 'sslmode=allow')).toBe('plain');
  });
});

describeOwnMariadb('TLS', (start) => {
  const directory = makeTemporaryDirectory();
  let own: Awaited<ReturnType<typeof start>>;
  let server: MariadbServer;

  beforeAll(async () => {
    for (const name of ['localhost.crt', 'localhost.key']) {
      copyFileSync(certificate(name), join(directory, name));
      chmodSync(join(directory, name), 0o644);
    }
    own = await start([
      `--ssl-cert=${join(directory, 'localhost.crt')}`,
      `--ssl-key=${join(directory, 'localhost.key')}`,
    ]);
    server = own.server;
    const client = await mariadb.createConnection({ ...server });
    await client.query('CREATE DATABASE shop');
    await client.query('CREATE TABLE shop.thing (id int PRIMARY KEY)');
    await client.query('INSERT INTO shop.thing VALUES (1), (2)');
    await client.query('CREATE VIEW shop.slow AS SELECT 1 + SLEEP(3) AS id');
    await client.query("CREATE USER only@'%' REQUIRE SSL");
    await client.query("GRANT ALL ON shop.* TO only@'%'");
    await client.end();
  });
  afterAll(async () => {
    await own.stop();
    rmSync(directory, { recursive: true });
  });

  test.each([
    ['root', 'nothing', undefined, 'plain'],
    ['only', 'nothing', undefined, 'refused'],
    ['only', 'the right certificate', { ca: right }, 'encrypted'],
    ['root', 'the right certificate', { ca: right }, 'encrypted'],
    ['root', 'the wrong certificate', { ca: wrong }, 'refused'],
    ['root', 'no certificate', true, 'refused'],
    ['root', 'any certificate', { rejectUnauthorized: false }, 'encrypted'],
    [
      'root',
      'a new version',
      { rejectUnauthorized: false, minVersion: 'TLSv1.3' } as const,
      'encrypted',
    ],
    [
      'root',
      'an old cipher',
      { rejectUnauthorized: false, maxVersion: 'TLSv1.2', ciphers: OLD } as const,
      'refused',
    ],
  ])('of %s with %s is %s', async (user, _, ssl, outcome) => {
    const options =
      typeof ssl === 'object' && 'ca' in ssl ? { ca: readFileSync(ssl.ca, 'utf8') } : ssl;
    const connection = {
      host: 'localhost',
      port: server.port,
      user,
      ...(options && { ssl: options }),
    };
    const found = await mariadb
      .createConnection(connectionOptions(connection, limits))
      .then(async (client) => {
        const [[, cipher] = []] = await client.query<string[][]>("SHOW STATUS LIKE 'Ssl_cipher'");
        await client.end();
        return cipher === '' ? 'plain' : 'encrypted';
      })
      .catch(() => 'refused');
    expect(found).toBe(outcome);
  });

  test('rows are read through it, however long the server is silent', async () => {
    const file = join(directory, 'shop.yaml');
    const ca = JSON.stringify(readFileSync(right, 'utf8'));
    writeFileSync(
      file,
      `domain:
  version: 1.0.0
  entities:
    - { name: thing, primaryKey: [id], properties: [{ name: id, type: integer }] }
    - { name: slow, primaryKey: [id], properties: [{ name: id, type: integer }] }
infrastructure:
  sources:
    - name: main
      dialect: MariaDB
      connection: { host: localhost, port: ${server.port}, user: only, database: shop, ssl: { ca: ${ca} } }`,
    );
    const flags = ['--workers', '1', '--connect-timeout-ms', '1000'];
    const program = await startProgram(['--schema', file, ...flags]);
    try {
      expect(await rowsOf(program, 'thing.sort(p=>p.id)')).toEqual([{ id: 1 }, { id: 2 }]);
      expect(await rowsOf(program, 'slow')).toEqual([{ id: 1 }]);
    } finally {
      await program.stop();
    }
  });
});
