/** Storage engines of MySQL and MariaDB: those without transactions keep what a rollback should undo. */
import type { Lease } from '../lease.js';
import { readTexts } from '../read-texts.js';
import type { StoredTable } from '../source.js';
import { plain } from '../statement.js';

/** Joined by their names, the server would open all tables. A view has no engine. */
const TRANSACTIONS = `SELECT e.TRANSACTIONS = 'YES'
FROM information_schema.TABLES t LEFT JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE
WHERE t.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND t.TABLE_NAME = ?`;

/** Whether a rollback undoes writes to the table; false for a view, undefined if there is no such table. */
export async function rollsBack(
  lease: Lease,
  { schema, table }: StoredTable,
): Promise<boolean | undefined> {
  const [found] = await readTexts(lease, plain(TRANSACTIONS, [schema ?? null, table]));
  return found && found[0] === '1';
}
