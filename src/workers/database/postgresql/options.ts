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
  const own = url === undefined ? undefined : splitOptions(url);
  return {
    ...(own && { connectionString: own.url }),
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
    application_name: 'rowgate',
    connectTimeoutMs: settings.connectTimeoutMs,
    keepAlive: true,
    // If an option is given twice, the last one is in force.
    options: [own?.options, serverOptions(settings.statementTimeoutMs)].filter(Boolean).join(' '),
  };
}

/** The `options` of a URL, which pg would use instead of ours, and the URL without them. */
function splitOptions(url: string): { readonly url: string; readonly options: string | undefined } {
  const [whole, before = '', text] = /([?&])options=([^&]*)/.exec(url) ?? [];
  if (whole === undefined || text === undefined) return { url, options: undefined };
  const rest = url
    .replace(whole, before)
    .replace(/[?&]$/, '')
    .replace('?&', '?')
    .replace('&&', '&');
  return { url: rest, options: decodeURIComponent(text.replaceAll('+', ' ')) };
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
