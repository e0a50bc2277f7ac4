/** PostgreSQL settings for one transaction, so that its row-level security policies know the sender. */
import { EngineError } from '../../engine/index.js';
import type { Lease } from '../database/lease.js';
import { SourceError } from '../database/source-error.js';
import type { Source } from '../database/source.js';
import type { Statement } from '../database/statement.js';

export type SessionSettings = Readonly<Record<string, string>>;

/** Applies the settings until the end of the transaction. Rejects with `permission-denied`. */
export async function applySettings(
  lease: Lease,
  { dialect }: Source,
  settings: SessionSettings,
): Promise<void> {
  if (dialect !== 'PostgreSQL') {
    const message = 'The key or token has settings of PostgreSQL, and this is another database.';
    throw new EngineError('unsupported', message);
  }
  const pairs = Object.entries(settings);
  const calls = pairs.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`);
  try {
    await lease.write([{ text: `SELECT ${calls.join(', ')}`, parameters: pairs.flat() }], false);
  } catch (cause) {
    // The role does not exist, or the user of the connection is not a member of it.
    if (!(cause instanceof SourceError) || cause.code === 'source-unavailable') throw cause;
    throw new SourceError('permission-denied', { sqlstate: cause.sqlstate, cause });
  }
}

/** Resets the role to the user of the connection. */
export const resetRole: Statement = {
  text: `SELECT set_config('role', 'none', true)`,
  parameters: [],
};
