/** How MySQL and MariaDB handle transactions. */
import { isolationNames, type TransactionDialect, type TransactionMode } from '../connection.js';
import type { Statement } from '../statement.js';

/** Sent only after the end of a transaction, because it would commit an open one. */
export const AUTOCOMMIT = 'SET autocommit = 1';

/** Like PostgreSQL's default: committed changes are visible, and gaps are not locked. */
const usualIsolation = 'readCommitted';
const usualMode: TransactionMode = { isolation: usualIsolation, readOnly: false };

/** The most statements and different texts that are sent together; each text is prepared. */
const STATEMENTS_MAX = 500;
const TEXTS_MAX = 100;

export const transactions: TransactionDialect = {
  failsRunsWhole: false,
  usualIsolation,
  begin,
  savepoint: 'SAVEPOINT rowgate_write',
  parts,
};

/** Undoes the statements of a write. */
export const TO_SAVEPOINT = 'ROLLBACK TO SAVEPOINT rowgate_write';

/** Whether the command ends a transaction. */
export function endsTransaction(text: string): boolean {
  return text === 'COMMIT' || text === 'ROLLBACK';
}

/**
 * Turns autocommit off and begins a transaction. Statements that are sent with these commands run even if one
 * of the commands is interrupted. After a failure that has rolled back everything (a deadlock), only
 * `autocommit = 0` puts later statements into a new transaction, which is never committed. If that command was
 * interrupted, only `START TRANSACTION` keeps them from being committed one by one.
 */
function begin(mode: TransactionMode = usualMode): readonly string[] {
  const { isolation, readOnly } = mode;
  const level = isolation ? [`ISOLATION LEVEL ${isolationNames[isolation]}`] : [];
  const all = [...level, ...(readOnly ? ['READ ONLY'] : [])];
  const characteristics = all.length > 0 ? [`SET TRANSACTION ${all.join(', ')}`] : [];
  return ['SET autocommit = 0', ...characteristics, 'START TRANSACTION'];
}

function* parts(statements: readonly Statement[]): Generator<readonly Statement[]> {
  let start = 0;
  const texts = new Set<string>();
  for (const [index, { text }] of statements.entries()) {
    texts.add(text);
    if (index - start < STATEMENTS_MAX && texts.size <= TEXTS_MAX) continue;
    yield statements.slice(start, index);
    start = index;
    texts.clear();
    texts.add(text);
  }
  if (start < statements.length) yield statements.slice(start);
}
