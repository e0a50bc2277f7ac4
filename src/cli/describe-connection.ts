/** Describes a connection without its secrets. */
import type { Connection } from '../engine/index.js';

const mask = '***';

/** A connection on one line. Its password and all values in its query string are masked. */
export function describeConnection(connection: Connection): string {
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
  if (given.length === 0) return 'connection left to the defaults';
  return given.map(([name, value]) => `${name}=${value}`).join(' ');
}

/** The address with its password and all values in its query string masked. */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return mask;
  const url = new URL(text);
  if (url.password !== '') url.password = mask;
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, mask);
  return url.href;
}
