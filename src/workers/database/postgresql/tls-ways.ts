/** The ways of encrypting a connection that a URL allows: `sslmode` as libpq has it (manual, 34.19). */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** Without TLS, or with it. */
export type TlsWay = false | ConnectionOptions;

/** The parameters of a URL that name them. */
export const tlsParameters = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
] as const;
export type TlsParameters = Partial<Record<(typeof tlsParameters)[number], string>>;

/**
 * The ways in the order in which they are tried; empty if the URL does not say. Throws for a mode that
 * does not exist, and for a file that cannot be read.
 */
export function tlsWays(parameters: TlsParameters): readonly TlsWay[] {
  const { sslmode, sslrootcert } = parameters;
  const files = filesOf(parameters);
  const encrypted = { ...files, rejectUnauthorized: false };
  const isChecked = sslrootcert !== undefined;
  switch (sslmode) {
    case undefined:
      return Object.keys(parameters).length === 0 ? [] : [isChecked ? anyName(files) : encrypted];
    case 'disable':
      return [false];
    case 'allow':
      return [false, encrypted];
    case 'prefer':
      return [encrypted, false];
    case 'require':
      return [isChecked ? anyName(files) : encrypted];
    case 'verify-ca':
      return [anyName(files)];
    case 'verify-full':
      return [files];
    default:
      throw new Error(`The sslmode '${sslmode}' does not exist.`);
  }
}

/** A certificate of the right authority, whatever its name. */
function anyName(files: ConnectionOptions): ConnectionOptions {
  return { ...files, checkServerIdentity: () => undefined };
}

/** Files are read for each connection, so that they may be renewed. */
function filesOf(parameters: TlsParameters): ConnectionOptions {
  const { sslrootcert, sslcert, sslkey, sslpassword } = parameters;
  return {
    ...(sslrootcert !== undefined && sslrootcert !== 'system' && { ca: readFileSync(sslrootcert) }),
    ...(sslcert !== undefined && { cert: readFileSync(sslcert) }),
    ...(sslkey !== undefined && { key: readFileSync(sslkey) }),
    ...(sslpassword !== undefined && { passphrase: sslpassword }),
  };
}
