/** The ways to encrypt that a URL allows: `sslmode` is that of libpq (manual, 34.19). */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** Whether a connection uses TLS. */
export type TlsWay = false | ConnectionOptions;

export const tlsParameters = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
] as const;
export type TlsParameters = Partial<Record<(typeof tlsParameters)[number], string>>;

/**
 * The ways in the order in which to try them; empty if the URL has no `sslmode`. Throws for an unknown
 * mode, for one that is too weak for `sslrootcert=system`, and for a file that cannot be read.
 */
export function tlsWays(parameters: TlsParameters): readonly TlsWay[] {
  const { sslrootcert } = parameters;
  const isSystem = sslrootcert === 'system';
  const { sslmode = isSystem ? 'verify-full' : undefined } = parameters;
  if (isSystem && sslmode !== 'verify-full') {
    throw new Error(`The sslmode '${sslmode}' is too weak for sslrootcert=system.`);
  }
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
      throw new Error(
        `The sslmode '${sslmode}' does not exist: it is disable, allow, prefer, require, verify-ca or verify-full.`,
      );
  }
}

/** Accepts a certificate of the right authority, whatever host it names. */
function anyName(files: ConnectionOptions): ConnectionOptions {
  return { ...files, checkServerIdentity: () => undefined };
}

/** The files are read for each connection, so that they can be renewed. */
function filesOf(parameters: TlsParameters): ConnectionOptions {
  const { sslrootcert, sslcert, sslkey, sslpassword } = parameters;
  return {
    ...(sslrootcert !== undefined && sslrootcert !== 'system' && { ca: readFileSync(sslrootcert) }),
    ...(sslcert !== undefined && { cert: readFileSync(sslcert) }),
    ...(sslkey !== undefined && { key: readFileSync(sslkey) }),
    ...(sslpassword !== undefined && { passphrase: sslpassword }),
  };
}
