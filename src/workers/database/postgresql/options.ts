/** How a source of the schema becomes the options of a connection of pg. */
import type { ConnectionOptions } from 'node:tls';
import type { Connection } from '../../../engine/index.js';
import type { DivertedConfig } from './client.js';
import type { SourceSettings } from '../source-settings.js';

/**
 * The server's own limit, in limits of ours. Ours does not count the time in which rows wait for a
 * slow client; the server's does, and ends what the gateway no longer can.
 */
const SERVER_LIMITS = 20;
const INT4_MAX = 2 ** 31 - 1;

/** The options of one connection. */
export function clientOptions(
  connection: Connection,
  settings: Pick<SourceSettings, 'connectTimeoutMs' | 'statementTimeoutMs'>,
): DivertedConfig {
  const { url, host, port, user, password, database, ssl } = connection;
  const parts = { host, port, user, password, database, ssl: tlsOptions(ssl) };
  return {
    ...(url === undefined ? {} : { connectionString: url }),
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
    application_name: 'rowgate',
    connectTimeoutMs: settings.connectTimeoutMs,
    keepAlive: true,
    options: serverOptions(settings.statementTimeoutMs),
  };
}

/** Texts of values must not depend on how the server or the role is set up. */
function serverOptions(statementTimeoutMs: number): string {
  const options = {
    datestyle: 'ISO',
    intervalstyle: 'iso_8601',
    timezone: 'UTC',
    client_encoding: 'UTF8',
    extra_float_digits: 3,
    bytea_output: 'hex',
    statement_timeout: Math.min(statementTimeoutMs * SERVER_LIMITS, INT4_MAX),
  };
  return Object.entries(options)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

const textNames = ['ca', 'cert', 'key', 'passphrase', 'servername'] as const;

/** The options of TLS that a schema file may give; any others are left out. */
function tlsOptions(ssl: Connection['ssl']): boolean | ConnectionOptions | undefined {
  if (typeof ssl !== 'object') return ssl;
  const options: ConnectionOptions = {};
  for (const name of textNames) {
    const value = ssl[name];
    if (typeof value === 'string') options[name] = value;
  }
  const { rejectUnauthorized } = ssl;
  if (typeof rejectUnauthorized === 'boolean') options.rejectUnauthorized = rejectUnauthorized;
  return options;
}
