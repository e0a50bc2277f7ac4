/**
 * The row that an import inserts and rolls back, so that MySQL and MariaDB make keys after the highest explicit one. Says
 * whether that is possible; does not run it.
 */
import { type Fields, type WriteField, WriteRow } from '../../engine/index.js';
import { plain, type Statement } from '../database/statement.js';
import type { GivenKeys } from './given-keys.js';
import { type LikeRows, writtenFields } from './mysql-insert.js';
import { type ImportRow, textOf } from './row-reader.js';

/** Returns a row if the table has a key that is as high as the explicit ones. */
export function reachedStatement({ entity, field, highest }: GivenKeys): Statement {
  const text = `SELECT 1 FROM ${entity.write.table} HAVING MAX(${field.column}) >= ?`;
  return { text, parameters: [String(highest)], types: ['integer'] };
}

/** Returns what {@link takesTrial} reads; no row for a view. */
export function counterStatement({ entity, field }: GivenKeys): Statement {
  const { storedSchema = null, storedTable } = entity.write;
  const parameters = [storedSchema, storedTable, storedSchema, storedTable, field.storedColumn];
  return plain(COUNTER, parameters);
}

/** Joined by their names, the server would open all tables. */
const COUNTER = `
SELECT e.SAVEPOINTS, c.COLUMN_TYPE
FROM information_schema.TABLES t JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE
JOIN information_schema.COLUMNS c
WHERE t.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND t.TABLE_NAME = ?
AND c.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND c.TABLE_NAME = ? AND c.COLUMN_NAME = ?`;

/** Whether the table can take a row back, and makes keys after one with the highest of the explicit keys. */
export function takesTrial({ highest }: GivenKeys, [found]: readonly Fields[]): boolean {
  const [savepoints, type] = found ?? [];
  return savepoints === 'YES' && highest < highestOf(type ?? '');
}

const BITS: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, mediumint: 24, int: 32 };

/** The highest number of a type such as `int(10) unsigned`. */
function highestOf(type: string): bigint {
  const bits = BITS[/^\w*/.exec(type)?.[0] ?? ''] ?? 64;
  return 2n ** BigInt(type.includes('unsigned') ? bits : bits - 1) - 1n;
}

/** The row with this key. Foreign keys are not checked, so it may refer to any row. */
export function trialOf(own: ImportRow, { property }: WriteField, key: string): LikeRows {
  const { place, defaults, related } = own.row;
  const given = own.row.given.over();
  given.set(property, key);
  if (own.waiting) {
    const { nesting, parent } = own.waiting;
    for (const [index, name] of nesting.to.entries()) {
      const known = textOf(parent.row, nesting.from[index] ?? '') ?? '0';
      if (!given.has(name)) given.set(name, known);
    }
  }
  const row = { ...own, row: new WriteRow(place, given, defaults, related) };
  return { entity: own.entity, fields: writtenFields(row), rows: [row] };
}
