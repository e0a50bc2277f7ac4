/** Converts a source of the schema to the options of pg connections. */
import type pg from 'pg';
import type { Connection } from '../../../engine/index.js';
import type { SourceSettings } from '../source-settings.js';
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
  };
  if (ssl !== undefined) return [{ ...options, ssl: typeof ssl === 'object' ? { ...ssl } : ssl }];
  const ways = own && !own.isSocket ? tlsWays(own.tls) : [];
  return ways.length === 0 ? [options] : ways.map((way) => ({ ...options, ssl: way }));
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
  const tls: TlsParameters = Object.fromEntries(
    tlsParameters.flatMap((name) => {
      const value = take(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  // A Unix socket has no TLS.
  const isSocket = parameters.get('host')?.startsWith('/') ?? /^[^/]*\/\/([^/]*@)?%2f/i.test(base);
  const rest = parameters.size > 0 ? `?${parameters.toString()}` : '';
  return { url: base + rest, options, tls, isSocket };
}
