/** Why the tables of a database cannot be reached, for the person who gave its address. */
import type { Connection, DialectName } from '../../engine/index.js';
import { isProtocolError } from './protocol-error.js';
import { reasonOf } from './unreachable.js';

/** What the address of a dialect may belong to, and its port unless the address has one. */
const servers: Record<DialectName, { readonly name: string; readonly port: number }> = {
  PostgreSQL: { name: 'PostgreSQL', port: 5432 },
  MySQL: { name: 'MySQL or MariaDB', port: 3306 },
  MariaDB: { name: 'MySQL or MariaDB', port: 3306 },
};

/** The error that says where the database was expected, without user and password. */
export function connectFault(dialect: DialectName, connection: Connection, cause: unknown): Error {
  const { name, port } = servers[dialect];
  if (isInvalidUrl(cause)) return new Error(`The address of ${name} ${NO_URL}`, { cause });
  const place = placeOf(connection, port);
  const why = explain(cause, name) + wayOut(dialect, connection, cause);
  return new Error(`${name} at ${place} cannot be reached: ${why}`, { cause });
}

const NO_URL =
  'is not a valid URL: the port must be at most 65535, and special characters of a password must be percent-encoded.';

function isInvalidUrl(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_INVALID_URL';
}

/** What may help, for faults whose message does not say it. */
function wayOut(dialect: DialectName, { url = '' }: Connection, cause: unknown): string {
  const message = messageOf(cause);
  if (reasonOf(cause) === 'host' && /@.*@/.test(url))
    return ' Special characters of a password must be percent-encoded.';
  const isPostgresql = dialect === 'PostgreSQL';
  if (isPostgresql && /no encryption|SSL off/.test(message))
    return '. If it requires TLS, add sslmode=require to the address.';
  if (isPostgresql && /no PostgreSQL user name/.test(message))
    return '. Name the user in the address: postgresql://USER@….';
  if (!/self-signed|unable to (get|verify)/.test(message)) return '';
  return isPostgresql
    ? '. Name its authority with sslrootcert=FILE; sslmode=require encrypts without checking it.'
    : ". Name its authority in the schema file: the member 'ca' of 'ssl'.";
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function explain(cause: unknown, server: string): string {
  const message = messageOf(cause);
  // pg takes the greeting of a MySQL server for another message.
  const isForeign = isProtocolError(cause) || message.startsWith('Received unexpected ');
  const reason = isForeign ? 'protocol' : reasonOf(cause);
  if (reason === 'protocol') return `what answers there is not ${server}.`;
  if (reason === 'timeout')
    return `there was no answer in time. Is it ${server}, and the port the right one?`;
  if (reason === 'refused')
    return 'the connection was refused. Does it run there, and is the port the right one?';
  if (reason === 'key')
    return 'without TLS, the password is sent only if allowPublicKeyRetrieval is true, which needs a network that you trust.';
  return reason === 'host' ? 'this host is unknown.' : message;
}

/** `HOST:PORT`, or the path of a socket. */
function placeOf(connection: Connection, defaultPort: number): string {
  const { hostname, port, searchParams } = parseUrl(connection.url);
  const parameters = ['host', 'socket', 'socketPath'].map((each) => searchParams.get(each));
  const host = connection.host ?? parameters.find((each) => each !== null) ?? hostname;
  if (host.startsWith('/')) return host;
  return `${host || 'localhost'}:${connection.port ?? (port || defaultPort)}`;
}

function parseUrl(text = ''): Pick<URL, 'hostname' | 'port' | 'searchParams'> {
  const nothing = { hostname: '', port: '', searchParams: new URLSearchParams() };
  // PostgreSQL accepts addresses without a host, for sockets.
  const whole = text.replace(/^(\w+:\/\/(?:[^/]*@)?)(?=\/)/, '$1localhost');
  return URL.canParse(whole) ? new URL(whole) : nothing;
}
