/** How transactions are spoken to MySQL and MariaDB. */
import { isolationNames, type TransactionDialect, type TransactionMode } from '../connection.js';
import type { Statement } from '../statement.js';

/**
 * Switches back to autocommit. A connection does so by itself, once the transaction has ended: it
 * would commit one that is still open.
 */
export const AUTOCOMMIT = 'SET autocommit = 1';

/** As PostgreSQL does by itself: what others have committed is seen, and gaps are not locked. */
const usualMode: TransactionMode = { isolation: 'readCommitted', readOnly: false };

/** Statements that are sent together, and how many of their texts may differ: so many stay prepared. */
const STATEMENTS_MAX = 500;
const TEXTS_MAX = 100;

export const transactions: TransactionDialect = {
  failsRunsWhole: false,
  begin,
  savepoint: 'SAVEPOINT rowgate_write',
  parts,
};

/** Brings the tables to where they were before the statements of a write. */
export const TO_SAVEPOINT = 'ROLLBACK TO SAVEPOINT rowgate_write';

/** Whether the command ends a transaction. */
export function endsTransaction(text: string): boolean {
  return text === 'COMMIT' || text === 'ROLLBACK';
}

/**
 * Without autocommit, statements behind a failure that has rolled back everything (a deadlock) begin a
 * new transaction, which is not committed: behind START TRANSACTION they would commit one by one.
 */
function begin(mode: TransactionMode = usualMode): readonly string[] {
  const { isolation, readOnly } = mode;
  const level = isolation ? [`ISOLATION LEVEL ${isolationNames[isolation]}`] : [];
  const all = [...level, ...(readOnly ? ['READ ONLY'] : [])];
  return ['SET autocommit = 0', ...(all.length > 0 ? [`SET TRANSACTION ${all.join(', ')}`] : [])];
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
