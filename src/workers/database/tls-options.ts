/** Reads the TLS options of a schema file. */
import type { SecureContextOptions } from 'node:tls';
import type { Connection } from '../../engine/index.js';

type TlsOptions = SecureContextOptions & { rejectUnauthorized?: boolean; servername?: string };

const textNames = ['ca', 'cert', 'key', 'passphrase', 'servername'] as const;

/** The supported TLS options; others are ignored. */
export function tlsOptions(ssl: NonNullable<Connection['ssl']>): boolean | TlsOptions {
  if (typeof ssl !== 'object') return ssl;
  const options: TlsOptions = {};
  for (const name of textNames) {
    const value = ssl[name];
    if (typeof value === 'string') options[name] = value;
  }
  const { rejectUnauthorized } = ssl;
  if (typeof rejectUnauthorized === 'boolean') options.rejectUnauthorized = rejectUnauthorized;
  return options;
}
