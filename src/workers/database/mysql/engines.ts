/** Storage engines of MySQL and MariaDB: those without transactions keep what a rollback should undo. */
import type { Lease } from '../lease.js';
import { readTexts } from '../read-texts.js';
import type { StoredTable } from '../source.js';
import { plain } from '../statement.js';

/**
 * A view has no engine: there, all tables of its database must have transactions. With the name of the database from another
 * table, or joined by the names of tables, the server would open the tables of all databases.
 */
const TRANSACTIONS = `SELECT IF(t.TABLE_TYPE = 'VIEW', NOT EXISTS (
  SELECT 1 FROM information_schema.TABLES o WHERE o.TABLE_SCHEMA = COALESCE(?, DATABASE())
  AND o.ENGINE IN (SELECT n.ENGINE FROM information_schema.ENGINES n WHERE n.TRANSACTIONS = 'NO')
), COALESCE(e.TRANSACTIONS = 'YES', FALSE))
FROM information_schema.TABLES t LEFT JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE
WHERE t.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND t.TABLE_NAME = ?`;

/** Whether a rollback undoes writes to the table; undefined if there is no such table. */
export async function rollsBack(
  lease: Lease,
  { schema, table }: StoredTable,
): Promise<boolean | undefined> {
  const [found] = await readTexts(
    lease,
    plain(TRANSACTIONS, [schema ?? null, schema ?? null, table]),
  );
  return found && found[0] === '1';
}
