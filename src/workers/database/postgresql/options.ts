/** Converts a source of the schema to the options of pg connections. */
import type pg from 'pg';
import type { Connection } from '../../../engine/index.js';
import type { SourceSettings } from '../source-settings.js';
import { tlsOptions } from '../tls-options.js';
import { type TlsParameters, tlsParameters, tlsWays } from './tls-ways.js';

/** The limits of a connection. */
export type ConnectionLimits = Pick<SourceSettings, 'connectTimeoutMs' | 'statementTimeoutMs'>;

/**
 * The options of a connection: several if it may be made with and without TLS, in the order in which to
 * try them. Throws if the URL requires TLS that is not possible.
 */
export function clientOptions(connection: Connection): readonly pg.ClientConfig[] {
  const { url, host, port, user, password, database, ssl } = connection;
  const parts = { host, port, user, password, database };
  const own = url === undefined ? undefined : splitUrl(url);
  const options = {
    ...(own && { connectionString: own.url }),
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
    ...(own?.options !== undefined && { options: own.options }),
    application_name: 'rowgate',
    keepAlive: true,
  };
  if (ssl !== undefined) return [{ ...options, ssl: tlsOptions(ssl) }];
  const ways = own && !own.isSocket ? tlsWays(own.tls) : [];
  return ways.length === 0 ? [options] : ways.map((way) => ({ ...options, ssl: way }));
}

interface OwnUrl {
  /** The URL without the parameters that pg interprets differently from libpq. */
  readonly url: string;
  readonly options: string | undefined;
  readonly tls: TlsParameters;
  /** Whether it leads to a Unix socket, which has no TLS. */
  readonly isSocket: boolean;
}

function splitUrl(url: string): OwnUrl {
  const [base = '', ...query] = url.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  const take = (name: string): string | undefined => {
    const value = parameters.get(name) ?? undefined;
    parameters.delete(name);
    return value;
  };
  const options = take('options');
  const tls = Object.fromEntries(
    tlsParameters.flatMap((name) => {
      const value = take(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const isSocket = parameters.get('host')?.startsWith('/') ?? /^[^/]*\/\/([^/]*@)?%2f/i.test(base);
  return {
    url: parameters.size > 0 ? `${base}?${parameters.toString()}` : base,
    options,
    tls,
    isSocket,
  };
}
