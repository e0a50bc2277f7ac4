/** Finds the tables of a mapping among existing tables. */
import type { DialectName, Mapping } from '../schema/model.js';
import { type StoredTable, storedTable } from '../dialects/table-name.js';
import { dialectOf } from '../dialects/dialects.js';
import type { ExistingTable } from './existing.js';
import type { DdlRequest } from './plan-push.js';
import { IDEMPOTENCY_TABLE } from './table.js';

/** Finds the table that a statement would use for a name. */
export type FindTable = (table: StoredTable) => ExistingTable | undefined;

/** Finds tables, but not views. */
export function findTableIn(existing: readonly ExistingTable[]): FindTable {
  return findAnyIn(existing.filter(({ kind }) => kind !== 'view' && kind !== 'materialized view'));
}

/** Finds tables and views. A server compares the names of all its tables in one way. */
export function findAnyIn(tables: readonly ExistingTable[]): FindTable {
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
