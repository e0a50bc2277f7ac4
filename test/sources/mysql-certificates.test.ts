/** Which certificates of MySQL and MariaDB are accepted: nothing is sent to a server with another one. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Tls } from '../../src/engine/schema/model.js';
import { connectTables } from '../../src/workers/database/drivers.js';
import { openClient } from '../../src/workers/database/mysql/client.js';
import { connectionOptions } from '../../src/workers/database/mysql/options.js';
import { startFakeMysql } from './fake-mysql.js';

const file = (name: string) => fileURLToPath(new URL(`./certificates/${name}`, import.meta.url));
const localhost = 'localhost.crt';
const address = 'address.crt';
const key = file('localhost.key');

const OLD = '5.5.5-10.11.19-MariaDB';
const NEW = '11.8.2-MariaDB';
const NATIVE = 'mysql_native_password';
const limits = { connectTimeoutMs: 10_000 };

/** What a server with this certificate learns of a client's login. */
async function learns({
  version,
  certificate,
  plugin = NATIVE,
  host,
  ssl,
}: {
  readonly version: string;
  readonly certificate: string;
  readonly plugin?: string;
  readonly host: string;
  /** Its `ca` is the name of a file. */
  readonly ssl: boolean | Tls;
}) {
  const server = await startFakeMysql({ version, plugin, certificate: file(certificate), key });
  const login = { user: 'shop', password: 'secret' };
  const connection = { host, port: server.port, ssl: withAuthority(ssl), ...login };
  try {
    await expect(openClient(connectionOptions(connection, limits), 0)).rejects.toThrow();
    await expect(connectTables({ dialect: 'MariaDB', connection })).rejects.toThrow();
    return server.secretBytes === 0 ? 'nothing' : 'the login';
  } finally {
    server.close();
  }
}

function withAuthority(ssl: boolean | Tls): boolean | Tls {
  return typeof ssl === 'object' && ssl.ca
    ? { ...ssl, ca: readFileSync(file(ssl.ca), 'utf8') }
    : ssl;
}

const noChecks = { rejectUnauthorized: false };

test.each([
  ['localhost', true, localhost, 'nothing'],
  ['localhost', {}, localhost, 'nothing'],
  ['localhost', { ca: '' }, localhost, 'nothing'],
  ['localhost', { servername: 'localhost' }, localhost, 'nothing'],
  ['localhost', { minVersion: 'TLSv1.3' } as const, localhost, 'nothing'],
  ['localhost', { ca: address }, localhost, 'nothing'],
  ['localhost', { ca: address }, address, 'nothing'],
  ['127.0.0.1', { ca: localhost }, localhost, 'nothing'],
  ['127.0.0.1', { ca: address, servername: 'other.example' }, address, 'nothing'],
  ['localhost', { ca: localhost }, localhost, 'the login'],
  ['127.0.0.1', { ca: address }, address, 'the login'],
  ['127.0.0.1', { ca: localhost, servername: 'localhost' }, localhost, 'the login'],
  ['127.0.0.1', noChecks, localhost, 'the login'],
])('of a client that connects to %s with %j, a server with %s learns %s', async (...given) => {
  const [host, ssl, certificate, learnt] = given;
  expect(await learns({ version: OLD, host, ssl, certificate })).toBe(learnt);
  expect(await learns({ version: NEW, host, ssl, certificate })).toBe(learnt);
});

test.each([NATIVE, 'mysql_clear_password', 'client_ed25519', 'caching_sha2_password'])(
  'a server whose certificate is not trusted learns nothing by %s',
  async (plugin) => {
    const place = { host: 'localhost', ssl: true, certificate: localhost };
    expect(await learns({ version: NEW, plugin, ...place })).toBe('nothing');
  },
);

test('Node.js is given its own authorities unless the source has some', () => {
  const { ssl } = connectionOptions({ host: 'db.example', ssl: true }, limits);
  expect({ ...(ssl as object) }).toEqual({ host: 'db.example' });
});

test('a server cannot lead a connection to another host', () => {
  const options = connectionOptions({ host: 'db.example', ssl: true }, limits);
  expect(options).toMatchObject({ permitRedirect: false });
});
