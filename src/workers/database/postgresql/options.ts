/** Converts a source of the schema to the options of a pg connection. */
import type { Connection } from '../../../engine/index.js';
import type { DivertedConfig } from './client.js';
import { serverLimitMs, type SourceSettings } from '../source-settings.js';
import { tlsOptions } from '../tls-options.js';

/** The options of one connection. */
export function clientOptions(
  connection: Connection,
  settings: Pick<SourceSettings, 'connectTimeoutMs' | 'statementTimeoutMs'>,
): DivertedConfig {
  const { url, host, port, user, password, database, ssl } = connection;
  const parts = {
    host,
    port,
    user,
    password,
    database,
    ssl: ssl === undefined ? ssl : tlsOptions(ssl),
  };
  return {
    ...(url === undefined ? {} : { connectionString: url }),
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
    application_name: 'rowgate',
    connectTimeoutMs: settings.connectTimeoutMs,
    keepAlive: true,
    options: serverOptions(settings.statementTimeoutMs),
  };
}

/** Settings under which the texts of values do not depend on the server or the role. */
function serverOptions(statementTimeoutMs: number): string {
  const options = {
    datestyle: 'ISO',
    intervalstyle: 'iso_8601',
    timezone: 'UTC',
    client_encoding: 'UTF8',
    extra_float_digits: 3,
    bytea_output: 'hex',
    statement_timeout: serverLimitMs(statementTimeoutMs),
  };
  return Object.entries(options)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
