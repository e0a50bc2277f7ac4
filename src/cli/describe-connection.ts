/** Describes a connection without its secrets. */
import type { Source } from '../engine/index.js';

const mask = '***';

/** The connection of a source on one line. Its password and all values in its query string are masked. */
export function describeConnection(
  { dialect, connection }: Pick<Source, 'dialect' | 'connection'>,
  dataDirectory: string,
): string {
  const { url, host, port, user, database, password, ssl } = connection;
  if (url !== undefined) return maskUrl(url);
  const parts = {
    host,
    port,
    user,
    password: password === undefined ? undefined : mask,
    database,
    ssl: ssl === undefined ? undefined : Boolean(ssl),
  };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  if (given.length === 0) {
    return dialect === 'PostgreSQL' ? describeEmbedded(dataDirectory) : 'localhost:3306';
  }
  return given.map(([name, value]) => `${name}=${value}`).join(' ');
}

/** The embedded database, which serves a PostgreSQL source without a connection. */
export function describeEmbedded(dataDirectory: string): string {
  return `embedded database in ${dataDirectory}`;
}

/** The address with its password and all values in its query string masked. */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return mask;
  const url = new URL(text);
  if (url.password !== '') url.password = mask;
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, mask);
  return url.href;
}
