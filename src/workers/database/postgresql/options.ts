/** Converts a source of the schema to the options of pg connections. */
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import type pg from 'pg';
import type { Connection, Tls } from '../../../engine/index.js';
import type { SourceSettings } from '../source-settings.js';
import { isSwitchedOn } from '../url-switch.js';
import { type TlsParameters, tlsParameters, tlsWays } from './tls-ways.js';

export type ConnectionLimits = Pick<SourceSettings, 'connectTimeoutMs' | 'statementTimeoutMs'>;

/**
 * The options of a connection: several if it may be made with and without TLS, in the order in which to
 * try them. Throws if the URL requires TLS that is not possible.
 */
export function clientOptions(connection: Connection): readonly pg.ClientConfig[] {
  const { url, ssl, ...members } = connection;
  const parts = { ...members, ...placeOf(members) };
  const own = url === undefined ? undefined : splitUrl(url, parts);
  const options = {
    ...(own ? { connectionString: own.url } : parts),
    ...(own?.options !== undefined && { options: own.options }),
    application_name: 'rowgate',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  if (ssl !== undefined) return [{ ...options, ssl: typeof ssl === 'object' ? named(ssl) : ssl }];
  if (!own || own.isSocket) return [options];
  const ways = tlsWays(own.tls);
  if (ways.length > 0) return ways.map((way) => ({ ...options, ssl: way }));
  return own.isEncrypted === undefined ? [options] : [{ ...options, ssl: own.isEncrypted }];
}

/** pg would check the name of the host, even if the certificate has another one. */
function named(ssl: Tls): ConnectionOptions {
  const { servername } = ssl;
  if (servername === undefined) return { ...ssl };
  return { ...ssl, checkServerIdentity: (_, given) => checkServerIdentity(servername, given) };
}

/** pg wants the folder of a socket, and the port that ends the socket's name. */
function placeOf({ host = '' }: Connection): Pick<Connection, 'host' | 'port'> {
  const [, folder, port] = /^(\/.+)\/\.s\.PGSQL\.(\d+)$/.exec(host) ?? [];
  return folder === undefined ? {} : { host: folder, port: Number(port) };
}

/**
 * The URL without the parameters that pg interprets differently from libpq, and these. Members beside a URL take
 * precedence; pg would prefer those of the URL, even its empty ones.
 */
function splitUrl(url: string, { database, ...parts }: Connection) {
  const [start = '', ...query] = url.split('?');
  const base =
    database === undefined
      ? start
      : start.replace(/(?<=^\w+:\/\/[^/]*)(\/.*)?$/, `/${encodeURIComponent(database)}`);
  const parameters = new URLSearchParams(query.join('?'));
  for (const [name, value] of Object.entries(parts)) parameters.set(name, String(value));
  const take = (name: string): string | undefined => {
    const value = parameters.get(name) ?? undefined;
    parameters.delete(name);
    return value;
  };
  const options = take('options');
  const encrypted = take('ssl');
  const tls: TlsParameters = Object.fromEntries(
    tlsParameters.flatMap((name) => {
      const value = take(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  // A Unix socket has no TLS.
  const isSocket = parameters.get('host')?.startsWith('/') ?? /^[^/]*\/\/([^/]*@)?%2f/i.test(base);
  const rest = parameters.size > 0 ? `?${parameters.toString()}` : '';
  // Like the parameter of MySQL. `sslmode` and the member `ssl` take precedence.
  const isEncrypted = encrypted === undefined ? undefined : isSwitchedOn(encrypted);
  return { url: base + rest, options, tls, isSocket, isEncrypted };
}
