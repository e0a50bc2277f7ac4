/** How a source of the schema becomes the options of pg's pool. */
import type { ConnectionOptions } from 'node:tls';
import type pg from 'pg';
import type { Connection } from '../../engine/index.js';
import type { TappedConfig } from './postgresql-client.js';
import type { SourceSettings } from './source-settings.js';

const IDLE_TIMEOUT_MS = 60_000;

/**
 * The server's own limit, in limits of ours. Ours does not count the time in which rows wait for a
 * slow client; the server's does, and ends what the gateway no longer can.
 */
const SERVER_LIMITS = 20;
const INT4_MAX = 2 ** 31 - 1;

/** The pool opens no more connections than the source has slots: it never queues. */
export function poolOptions(
  connection: Connection,
  settings: SourceSettings,
): TappedConfig & pg.PoolConfig {
  const { url, host, port, user, password, database, ssl } = connection;
  const parts = { host, port, user, password, database, ssl: tlsOptions(ssl) };
  return {
    ...(url === undefined ? {} : { connectionString: url }),
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
    application_name: 'rowgate',
    max: settings.connectionsPerSource,
    connectTimeoutMs: settings.connectTimeoutMs,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
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
