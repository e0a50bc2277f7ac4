/** How TLS is asked for in a schema file. */
import type { ConnectionOptions } from 'node:tls';
import type { Connection } from '../../engine/index.js';

const textNames = ['ca', 'cert', 'key', 'passphrase', 'servername'] as const;

/** The options of TLS that a schema file may give; any others are left out. */
export function tlsOptions(ssl: NonNullable<Connection['ssl']>): boolean | ConnectionOptions {
  if (typeof ssl !== 'object') return ssl;
  const options: ConnectionOptions = {};
  for (const name of textNames) {
    const value = ssl[name];
    if (typeof value === 'string') options[name] = value;
  }
  const { rejectUnauthorized } = ssl;
  if (typeof rejectUnauthorized === 'boolean') options.rejectUnauthorized = rejectUnauthorized;
  return options;
}
