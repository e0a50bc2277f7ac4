/** Converts a source of the schema to the options of the connector. */
import type { Connection as Client, ConnectionConfig } from 'mariadb';
import type { Connection } from '../../../engine/index.js';
import { serverLimitMs, type SourceSettings } from '../source-settings.js';
import { isSwitchedOn } from '../url-switch.js';
import { tlsOptions } from './tls-options.js';
import { WARNINGS_MAX } from './warnings.js';

/**
 * A value that does not fit is an error. Strings are in single quotes. 0 is an ordinary key. A
 * division by zero gives null in writes, too. A difference of unsigned numbers may be negative. An
 * UPDATE uses the old row (MySQL has no mode for that). Without NO_ZERO_DATE, an insert can use the
 * default `0000-00-00` of a column; a zero date in the data is refused before it is sent.
 */
const MODES = [
  'STRICT_ALL_TABLES',
  'NO_UNSIGNED_SUBTRACTION',
  'NO_ZERO_IN_DATE',
  'NO_AUTO_VALUE_ON_ZERO',
  'NO_ENGINE_SUBSTITUTION',
].join();
const MARIADB_MODES = ',SIMULTANEOUS_ASSIGNMENT';

/** How long the server waits for a slow reader. Rowgate itself closes idle connections sooner. */
const READER_SECONDS = 3600;

/**
 * Settings that a session must not inherit from the server: dates are in UTC, a quotient has all its digits, nothing
 * is left out of rows, a transaction ends without beginning another one, and readers may be slow.
 */
const SESSION = [
  "time_zone = '+00:00'",
  `sql_mode = CONCAT('${MODES}', IF(VERSION() LIKE '%MariaDB%', '${MARIADB_MODES}', ''))`,
  'div_precision_increment = 20',
  'group_concat_max_len = 1073741824',
  'autocommit = 1',
  'completion_type = 0',
  'sql_auto_is_null = 0',
  'sql_select_limit = 18446744073709551615',
  `net_write_timeout = ${READER_SECONDS}`,
  `wait_timeout = ${READER_SECONDS}`,
];
/**
 * MariaDB's limits for a transaction whose reader rests, and for the warnings that it lists. Other servers skip this
 * comment: only administrators may set the latter on MySQL.
 */
const MARIADB_SESSION = `/*M! , ${[
  'idle_transaction_timeout = 0',
  'idle_readonly_transaction_timeout = 0',
  `max_error_count = ${WARNINGS_MAX}`,
]
  .map((each) => `SESSION ${each}`)
  .join(', ')} */`;

/** The server may ignore the character set of the handshake, or an `init_connect` change it. */
const NAMES = 'NAMES utf8mb4 COLLATE utf8mb4_bin';

/** A server may name another one to connect to, but the sockets of Rowgate lead only to this one. The types lack it. */
const NO_REDIRECT = { permitRedirect: false };

/** The options of one connection. Values arrive as the server's texts. */
export function connectionOptions(
  connection: Connection,
  settings: Pick<SourceSettings, 'connectTimeoutMs'>,
): ConnectionConfig {
  const parts = { ...urlParts(connection), ...connection };
  const { host = 'localhost', port = 3306, user, password, database, ssl } = parts;
  // Only a program of this machine could pose as its server. A name may begin with `127.`, too.
  const { allowPublicKeyRetrieval = /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host) } = parts;
  const isSocket = host.startsWith('/');
  const place = isSocket ? { socketPath: host } : { host, port };
  return {
    ...place,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(ssl !== undefined && { ssl: ssl && tlsOptions(ssl, isSocket ? undefined : host) }),
    allowPublicKeyRetrieval,
    ...NO_REDIRECT,
    connectTimeout: settings.connectTimeoutMs,
    // For parameters and for texts that functions create: two of them are compared by code point,
    // and with a column by its collation.
    collation: 'UTF8MB4_BIN',
    initSql: [
      `SET ${[NAMES, ...SESSION.map((each) => `SESSION ${each}`)].join(', ')} ${MARIADB_SESSION}`,
    ],
    connectAttributes: { program_name: 'rowgate' },
    // Rowgate keeps and limits prepared statements itself.
    prepareCacheLength: 0,
    keepAliveDelay: 10_000,
    logParam: false,
    dateStrings: true,
    bigIntAsNumber: false,
    rowsAsArray: true,
    autoJsonMap: false,
  };
}

/** Sets the server's own time limit, whose name depends on the server. */
export async function limitStatements(client: Client, limitMs: number): Promise<void> {
  const serverMs = serverLimitMs(limitMs);
  if (serverMs === 0) return;
  const isMariadb = client.info?.serverVersion.mariaDb === true;
  await client.query(
    isMariadb
      ? `SET SESSION max_statement_time = ${serverMs / 1000}`
      : `SET SESSION max_execution_time = ${serverMs}`,
  );
}

/**
 * The parts of `mysql://user:password@host:port/database?ssl=true&allowPublicKeyRetrieval=true`; a socket is
 * `?socket=/path`.
 */
function urlParts({ url }: Connection): Connection {
  if (url === undefined) return {};
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const database = decodePart(pathname.slice(1));
  const socket = searchParams.get('socket') ?? searchParams.get('socketPath');
  return {
    host: socket ?? decodePart(hostname).replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    ...(username !== '' && { user: decodePart(username) }),
    ...(password !== '' && { password: decodePart(password) }),
    ...(database !== '' && { database }),
    ...switchIn(searchParams, 'ssl'),
    ...switchIn(searchParams, 'allowPublicKeyRetrieval'),
  };
}

function switchIn(parameters: URLSearchParams, name: string): Readonly<Record<string, boolean>> {
  const value = parameters.get(name);
  return value === null ? {} : { [name]: isSwitchedOn(value) };
}

/** The error does not repeat the part, which may be a password. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new Error("in a URL, a % must be written as '%25', also in a password.", { cause });
  }
}
