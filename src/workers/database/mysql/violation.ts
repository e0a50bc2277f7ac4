/** Reads the violated constraint from the error messages of MySQL and MariaDB. */
import type { Lease } from '../lease.js';
import { readTexts } from '../read-texts.js';
import type { SourceError, Violation } from '../source-error.js';
import type { StoredTable } from '../source.js';
import { plain } from '../statement.js';
import { ServerFault } from './errors.js';

const INDEX_COLUMNS =
  'SELECT COLUMN_NAME FROM information_schema.STATISTICS ' +
  'WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ? AND INDEX_NAME = ? ORDER BY SEQ_IN_INDEX';

/** A sub-select returned two rows: the upsert found the row of a different key. */
const OTHER_KEY = 1242;

/** Whether an upsert would have updated a row other than that of its key. */
export function isOtherKey({ cause }: SourceError): boolean {
  return cause instanceof ServerFault && cause.errno === OTHER_KEY;
}

/** The violation in the error of a write to a table. */
export async function violationOf(
  lease: Lease,
  { code, cause }: SourceError,
  { schema, table }: StoredTable,
): Promise<Violation> {
  const message = cause instanceof Error ? cause.message : '';
  const violation = { schema, table, columns: [], values: [] };
  if (code === 'check-violation') return { ...violation, constraint: checkOf(message) };
  if (code === 'unique-violation') {
    const [, key] = /for key '(.*)'$/s.exec(message) ?? [];
    return key === undefined
      ? violation
      : { ...violation, columns: await columnsOf(lease, { schema, table }, key) };
  }
  if (code !== 'not-null-violation') return violation;
  const [, column] =
    /^(?:Column|Field) '(.*)' (?:cannot be null|doesn't have)/s.exec(message) ?? [];
  return { ...violation, columns: column === undefined ? [] : [column] };
}

/** MariaDB writes the name of a column's own condition after that of the table: `parts.quantity`. */
function checkOf(message: string): string | undefined {
  const [, ofMariadb, ofMysql] =
    /^(?:CONSTRAINT `(.*)` failed for|Check constraint '(.*)' is violated)/.exec(message) ?? [];
  return ofMariadb ?? ofMysql;
}

/** The columns of an index in order. MySQL writes the table before the name of the index. */
async function columnsOf(
  lease: Lease,
  { schema, table }: StoredTable,
  key: string,
): Promise<string[]> {
  const index = key.startsWith(`${table}.`) ? key.slice(table.length + 1) : key;
  const rows = await readTexts(lease, plain(INDEX_COLUMNS, [schema ?? null, table, index]));
  return rows.flatMap(([name]) => name ?? []);
}
