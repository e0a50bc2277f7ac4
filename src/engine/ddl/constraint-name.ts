/**
 * Names constraints and indexes. The same columns always give the same name, within the length
 * limit.
 */

import type { ColumnDefinition } from '../dialects/ddl-dialect.js';
import { hashText } from '../values/hash-text.js';
import type { TableDefinition } from './table.js';

/** The kinds, whose suffixes are those of PostgreSQL's own names. */
export type ConstraintKind = 'pkey' | 'key' | 'idx' | 'fkey';

/** PostgreSQL truncates names to 63 bytes, MySQL refuses more than 64 characters. */
const NAME_BYTES_MAX = 63;

/** A plain lower-case name of the table, the columns and the kind, if no other one can be the same. */
export function constraintName(
  { stored, differsInCase }: Pick<TableDefinition, 'stored' | 'differsInCase'>,
  columns: readonly ColumnDefinition[],
  kind: ConstraintKind,
): string {
  const own = kind === 'pkey' ? [] : columns.map((column) => column.key);
  const wished = [stored.name, ...own].join('_');
  const plain = wished
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .replace(/^[^a-z]+/, '');
  const isFaithful = plain === wished.toLowerCase() && !differsInCase;
  if (isFaithful && plain.length + 1 + kind.length <= NAME_BYTES_MAX) return `${plain}_${kind}`;
  const end = `_${hashText(wished)}_${kind}`;
  return `${(plain || 't').slice(0, NAME_BYTES_MAX - end.length)}${end}`;
}
