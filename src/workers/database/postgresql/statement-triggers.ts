/** Triggers of PostgreSQL that run once for a statement, so that each request needs a statement of its own. */
import type { Lease } from '../lease.js';
import { readTexts } from '../read-texts.js';
import { plain } from '../statement.js';

/**
 * A view has those of its tables. The bits of `tgtype` are 1 (each row), 4 (INSERT), 8 (DELETE) and 16 (UPDATE).
 */
const TRIGGERS = `WITH RECURSIVE written(oid) AS (SELECT to_regclass($1)::oid
UNION SELECT refobjid FROM written JOIN pg_rewrite ON ev_class = written.oid
JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid AND refclassid = 'pg_class'::regclass)
SELECT count(*) FROM written JOIN pg_trigger ON tgrelid = written.oid
WHERE NOT tgisinternal AND tgtype & 1 = 0 AND tgtype & 28 > 0`;

/** Whether writes to the table, given as SQL, can share a statement. */
export async function mergesWrites(lease: Lease, table: string): Promise<boolean> {
  const [found] = await readTexts(lease, plain(TRIGGERS, [table]));
  return found?.[0] === '0';
}
