/** Finds the tables of a mapping among existing tables. */
import type { DialectName, Mapping } from '../schema/model.js';
import { type StoredTable, storedTable } from '../dialects/table-name.js';
import { dialectOf } from '../dialects/dialects.js';
import { type ExistingTable, placeOf } from './existing.js';
import type { DdlRequest } from './plan-push.js';
import { IDEMPOTENCY_TABLE } from './table.js';

/** Finds the table that a statement would use for a name. */
export type FindTable = (table: StoredTable) => ExistingTable | undefined;

/** Finds tables and views. A server compares the names of all its tables in one way. */
export function findTableIn(tables: readonly ExistingTable[]): FindTable {
  const ignoresCase = tables.some((each) => each.ignoresCase);
  const keyOf = (table: StoredTable) => {
    const key = qualifiedKey(table);
    return ignoresCase ? key.toLowerCase() : key;
  };
  const visible = tables.filter((each) => each.isVisible);
  const found = new Map([
    ...visible.map((each) => [keyOf({ schema: undefined, name: each.name }), each] as const),
    ...tables.map((each) => [keyOf(each), each] as const),
  ]);
  return (table) => found.get(keyOf(table));
}

/** Gives a unique text for the table of a name in the schema file. */
export type TableKeys = (mapping: string) => string;

/** Names that the server does not distinguish have the same text. */
export function tableKeysOf({ dialect, existing, database }: DdlRequest): TableKeys {
  const { ddl } = dialectOf(dialect);
  const ignoresCase = database?.ignoresCase ?? existing.some((each) => each.ignoresCase);
  return (mapping) => {
    const key = qualifiedKey(storedTable(ddl, mapping));
    return ignoresCase ? key.toLowerCase() : key;
  };
}

/** Whether `push` and `drop` change what exists: a table, and not a view or a foreign table, for example. */
export function isChangeable({ kind }: Pick<ExistingTable, 'kind'>): boolean {
  return kind === 'table' || kind === 'partition';
}

/** The tables that `command` may change or that are missing, and a remark for each of the others. */
export function changeableTables<Table extends { readonly stored: StoredTable }>(
  tables: readonly Table[],
  find: FindTable,
  command: 'push' | 'drop',
): { readonly tables: readonly Table[]; readonly remarks: readonly string[] } {
  const remarks = tables.flatMap(({ stored }) => {
    const found = find(stored);
    if (!found || isChangeable(found)) return [];
    const what = found.kind === 'extension' ? 'table of an extension' : found.kind;
    return [`${placeOf(found)} is a ${what}, so ${command} does not change it`];
  });
  const isOwn = ({ stored }: Table) => isChangeable(find(stored) ?? { kind: 'table' });
  return { tables: tables.filter(isOwn), remarks };
}

/** Partitions belong to their table, and tables of extensions are left out. */
export function mayBeMapped({ kind, name }: ExistingTable): boolean {
  return kind !== 'partition' && kind !== 'extension' && name !== IDEMPOTENCY_TABLE;
}

/** The schemas that the names of a mapping's tables contain. */
export function schemasOf(mapping: Mapping, dialect: DialectName): readonly string[] {
  const { ddl } = dialectOf(dialect);
  const named = mapping.entities.flatMap((entity) => storedTable(ddl, entity.mapping).schema ?? []);
  return [...new Set(named)];
}

/** A unique text for a table, with its schema if it is named. */
function qualifiedKey({ schema, name }: StoredTable): string {
  return schema === undefined ? name : `${schema}\0${name}`;
}
