/** The options of a connection URL are added to the settings that Rowgate needs. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, inject, test } from 'vitest';
import { scalarEncoder } from '../../src/engine/values/scalar-json.js';
import { connectClient } from '../../src/workers/database/postgresql/connect.js';
import { withClient } from '../support/embedded.js';
import { rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

const database = useOwnPostgresql(`CREATE SCHEMA other;
  CREATE TABLE other.event (id integer PRIMARY KEY, at timestamptz, span interval, data bytea);
  INSERT INTO other.event VALUES (1, '2024-02-29 12:00:00+00', '1 day 2 hours', '\\x00ff');`);

test.each(['', '&keepalives=1'])(
  'options in the URL are kept, but do not override those of Rowgate%s',
  async (rest) => {
    const settings = { datestyle: 'SQL,DMY', timezone: 'Asia/Tokyo', intervalstyle: 'postgres' };
    const own = { ...settings, bytea_output: 'escape', search_path: 'other' };
    const options = Object.entries(own).map(([name, value]) => `-c ${name}=${value}`);
    const url = `${database.url}&options=${encodeURIComponent(options.join(' '))}${rest}`;
    const program = await startProgram(['--url', url, '--workers', '1']);
    try {
      expect(await rowsOf(program, 'Event')).toEqual([
        { id: 1, at: '2024-02-29T12:00:00.000Z', span: 'P1DT2H', data: 'AP8=' },
      ]);
    } finally {
      await program.stop();
    }
  },
);

const intervals = [
  ...[
    '1 year 2 mons',
    '-1 year 2 mons 3 days',
    '1 mon -1 day',
    '1 day 02:03:04',
    '-00:00:00.000001',
    '0',
  ],
  ...['100:00:00', '1 year 1 day -25:00:00.5', '-3 days +01:00:00', '00:00:10', '178000000 years'],
];

test('an interval in the usual style of PostgreSQL is answered in that of ISO 8601', async () => {
  const encode = scalarEncoder('interval');
  await withClient(inject('embedded'), async (client) => {
    const inStyle = async (style: string) => {
      await client.query(`SET intervalstyle = ${style}`);
      const sql =
        'SELECT i::interval::text AS span FROM unnest($1::text[]) WITH ORDINALITY AS t (i, n) ORDER BY n';
      const { rows } = await client.query<{ readonly span: string }>(sql, [intervals]);
      return rows.map(({ span }) => span);
    };
    const usual = (await inStyle('postgres')).map(encode);
    expect(usual).toEqual((await inStyle('iso_8601')).map(encode));
  });
});

/**
 * Passes on the bytes between a client and the run's server, but reports another time zone than the
 * server has.
 */
async function startMisreporting(): Promise<{ readonly port: number; close(): void }> {
  const { host, port } = inject('embedded');
  const proxy = createServer((client) => {
    const server = connect(`${host}/.s.PGSQL.${port}`);
    client.pipe(server);
    server.on('data', (bytes) =>
      client.write(Buffer.from(bytes.toString('latin1').replace('\0UTC\0', '\0CET\0'), 'latin1')),
    );
    client.on('error', () => server.destroy());
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close: () => proxy.close(),
  };
}

test('a session with other settings is refused', async () => {
  const proxy = await startMisreporting();
  const { user, database: name } = inject('embedded');
  const url = `postgresql://${user}@127.0.0.1:${proxy.port}/${name}`;
  try {
    await expect(
      connectClient({ url }, { connectTimeoutMs: 10_000, statementTimeoutMs: 0 }),
    ).rejects.toThrow("The session's TimeZone is 'CET', and stays so.");
  } finally {
    proxy.close();
  }
});
