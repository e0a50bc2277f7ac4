/**
 * Collects the tables of a mapping. Entities with the same table share its definition: the keys of
 * the first entity count, a column is required if all entities require it, and it holds the values of all.
 */
import { hasColumn } from '../schema/derive-property.js';
import type { Digits, MappingEntity, MappingProperty } from '../schema/model.js';
import { collectForeignKeys } from './collect-foreign-keys.js';
import { columnKeyOf, columnsOf } from './columns-of.js';
import { namesTaken } from './constraint-name.js';
import { enumColumns, type EnumOf } from './enum-columns.js';
import type { ColumnDefinition, DdlDialect, EnumDefinition } from '../dialects/ddl-dialect.js';
import { type TableKeys, tableKeysOf } from './find-table.js';
import type { DdlRequest } from './plan-push.js';
import type { TableDefinition } from './table.js';
import { dialectOf } from '../dialects/dialects.js';
import { storedTable } from '../dialects/table-name.js';

/** The tables in the order of the domain, and remarks about what is impossible. */
export interface CollectedTables {
  readonly tables: readonly TableDefinition[];
  readonly remarks: readonly string[];
}

/** Collects the tables of the mapping; read-only views have none. */
export function collectTables(request: DdlRequest): CollectedTables {
  const { mapping, existing } = request;
  const dialect = dialectOf(request.dialect).ddl;
  const entities = mapping.entities.filter((entity) => !entity.view);
  const enumOf = enumColumns(entities, request, dialect);
  const keyOf = tableKeysOf(request);
  const tables = [...groupByTable(entities, keyOf)].map(([key, sharing]) => ({
    ...collectTable(sharing, enumOf, dialect),
    key,
  }));
  const collected = collectForeignKeys(entities, tables, { dialect, keyOf });
  const takenNames = namesTaken(collected.tables, existing);
  return {
    ...collected,
    tables: collected.tables.map((table) => ({ ...withKeyColumns(table), takenNames })),
  };
}

/** Marks the columns that are in a key, a foreign key or an index. */
function withKeyColumns(table: TableDefinition): TableDefinition {
  const { primaryKey, uniqueKeys, indexes, foreignKeys } = table;
  const lists = [primaryKey, ...uniqueKeys, ...indexes, ...foreignKeys.map((key) => key.columns)];
  const keys = new Set(lists.flat().map(({ key }) => key));
  const columns = table.columns.map((column) => ({ ...column, isInKey: keys.has(column.key) }));
  return { ...table, columns };
}

function groupByTable(
  entities: readonly MappingEntity[],
  keyOf: TableKeys,
): ReadonlyMap<string, readonly MappingEntity[]> {
  const groups = new Map<string, MappingEntity[]>();
  for (const entity of entities) {
    const key = keyOf(entity.mapping);
    groups.set(key, [...(groups.get(key) ?? []), entity]);
  }
  return groups;
}

function collectTable(
  sharing: readonly MappingEntity[],
  enumOf: EnumOf,
  dialect: DdlDialect,
): Omit<TableDefinition, 'key'> {
  const columns = mergeColumns(sharing, enumOf, dialect);
  const [first] = sharing;
  const name = first?.mapping ?? '';
  const keyed = (entity: MappingEntity, names: readonly string[]) =>
    columnsOf(entity, names, columns, dialect);
  return {
    name,
    stored: storedTable(dialect, name),
    dialect,
    takenNames: new Set(),
    columns,
    primaryKey: first === undefined ? [] : keyed(first, first.primaryKey),
    uniqueKeys: distinct(sharing.map((entity) => keyed(entity, entity.uniqueKey))),
    indexes: distinct(
      sharing.flatMap((entity) => entity.indexes.map((index) => keyed(entity, index.fields))),
    ),
    foreignKeys: [],
  };
}

function mergeColumns(
  sharing: readonly MappingEntity[],
  enumOf: EnumOf,
  dialect: DdlDialect,
): ColumnDefinition[] {
  const columns = new Map<string, ColumnDefinition>();
  const uses = new Map<string, number>();
  const stored = sharing.flatMap((entity) =>
    entity.properties
      .filter(hasColumn)
      .map((property) => toColumn(property, enumOf(entity, property), dialect)),
  );
  for (const column of stored) {
    const before = columns.get(column.key) ?? column;
    uses.set(column.key, (uses.get(column.key) ?? 0) + 1);
    const isSameEnum = before.enum?.name === column.enum?.name;
    columns.set(column.key, {
      ...before,
      isLong: before.isLong || column.isLong,
      length: before.length && column.length && Math.max(before.length, column.length),
      digits: before.digits && column.digits && widest(before.digits, column.digits),
      required: before.required && column.required,
      isReadOnly: before.isReadOnly === true && column.isReadOnly === true,
      enum: isSameEnum ? before.enum : undefined,
    });
  }
  return [...columns.values()].map((column) => {
    const isInAll = (uses.get(column.key) ?? 0) >= sharing.length;
    return { ...column, required: column.required && isInAll };
  });
}

/** Digits for the values of both. */
function widest(one: Digits, other: Digits): Digits {
  const scale = Math.max(one.scale, other.scale);
  return {
    scale,
    precision: scale + Math.max(one.precision - one.scale, other.precision - other.scale),
  };
}

function toColumn(
  property: MappingProperty,
  enumeration: EnumDefinition | undefined,
  dialect: DdlDialect,
): ColumnDefinition {
  return {
    name: property.mapping,
    key: columnKeyOf(property, dialect),
    type: property.type,
    isLong: property.isLong === true,
    enum: enumeration,
    length: property.length,
    digits: property.digits,
    required: property.required,
    isReadOnly: property.view === true,
    isFilledIn: property.databaseDefault === true,
    autoIncrement: property.autoIncrement ?? false,
    default: property.default,
  };
}

/** Removes empty lists, and duplicates with the same columns. */
function distinct(lists: readonly (readonly ColumnDefinition[])[]) {
  const byColumns = new Map(lists.map((list) => [list.map((c) => c.key).join('\0'), list]));
  return [...byColumns.values()].filter((list) => list.length > 0);
}
