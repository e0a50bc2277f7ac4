/**
 * Names constraints and indexes. The same columns always give the same name, within the length
 * limit, unless something else has it.
 */

import type { ColumnDefinition } from '../dialects/ddl-dialect.js';
import { hashText } from '../values/hash-text.js';
import type { ExistingTable } from './existing.js';
import type { ForeignKeyDefinition, TableDefinition } from './table.js';

/** The kinds, whose suffixes are those of PostgreSQL's own names. */
export type ConstraintKind = 'pkey' | 'key' | 'idx' | 'fkey';

/** PostgreSQL truncates names to 63 bytes, MySQL refuses more than 64 characters. */
const NAME_BYTES_MAX = 63;

type Columns = readonly ColumnDefinition[];

/** A plain lower-case name of the table, the columns and the kind, if no other one can be the same. */
export function constraintName(
  { stored, takenNames }: Pick<TableDefinition, 'stored' | 'takenNames'>,
  columns: Columns,
  kind: ConstraintKind,
): string {
  const wished = wishedName(stored.name, columns, kind);
  const { parts, plain, name } = wished;
  const isFaithful = plain === parts.join('_').toLowerCase() && !takenNames.has(name);
  if (isFaithful && name.length <= NAME_BYTES_MAX) return name;
  return hashedName(wished, kind);
}

/** The same for a foreign key: if the columns refer to several tables, the name depends on the table, too. */
export function foreignKeyName(
  definition: Pick<TableDefinition, 'stored' | 'takenNames' | 'foreignKeys'>,
  { columns, table }: ForeignKeyDefinition,
): string {
  const { stored, takenNames, foreignKeys } = definition;
  const name = constraintName(definition, columns, 'fkey');
  const wished = wishedName(stored.name, columns, 'fkey');
  const textOf = (list: Columns) => list.map(({ key }) => key).join('\0');
  const first = foreignKeys.find((key) => textOf(key.columns) === textOf(columns));
  if (first?.table.key === table.key && !takenNames.has(name)) return name;
  return hashedName({ ...wished, parts: [...wished.parts, table.key] }, 'fkey');
}

function hashedName({ parts, plain }: WishedName, kind: ConstraintKind): string {
  const end = `_${hashText(parts.join('\0'))}_${kind}`;
  return `${(plain || 't').slice(0, NAME_BYTES_MAX - end.length)}${end}`;
}

/** The plain names that several constraints of the tables would have, and those that something existing has. */
export function namesTaken(
  tables: readonly Omit<TableDefinition, 'takenNames'>[],
  existing: readonly ExistingTable[],
): ReadonlySet<string> {
  const taken = new Set(
    existing.flatMap(({ name, indexNames = [], foreignKeys }) => [
      ...[name, ...indexNames],
      ...foreignKeys.map((key) => key.name),
    ]),
  );
  const seen = new Set<string>();
  for (const name of tables.flatMap(wishedNames)) (seen.has(name) ? taken : seen).add(name);
  return taken;
}

function wishedNames(table: Omit<TableDefinition, 'takenNames'>): readonly string[] {
  const { primaryKey, uniqueKeys, indexes, foreignKeys } = table;
  const references = foreignKeys.map(({ columns }) => columns);
  const names = (lists: readonly Columns[], kind: ConstraintKind) => {
    const wished = lists.map((columns) => wishedName(table.stored.name, columns, kind));
    // A reference may have the columns of an index.
    return new Map(wished.map(({ parts, name }) => [parts.join('\0'), name])).values();
  };
  return [
    ...names([primaryKey], 'pkey'),
    ...names(uniqueKeys, 'key'),
    ...names([...indexes, ...references], 'idx'),
    ...names(references, 'fkey'),
  ];
}

interface WishedName {
  /** The names of the table and the columns. */
  readonly parts: readonly string[];
  readonly plain: string;
  readonly name: string;
}

function wishedName(table: string, columns: Columns, kind: ConstraintKind): WishedName {
  const own = kind === 'pkey' ? [] : columns.map((column) => column.key);
  const parts = [table, ...own];
  const plain = parts
    .join('_')
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .replace(/^[^a-z]+/, '');
  return { parts, plain, name: `${plain}_${kind}` };
}
