/**
 * Plans the statements that add what a mapping needs and the database lacks. Nothing is altered or
 * removed. Keys, indexes and foreign keys are compared by their columns, whatever their names.
 */
import type { DialectName, Enum, Mapping } from '../schema/model.js';
import { collectTables } from './collect-tables.js';
import { sortedText } from './columns-of.js';
import type { ColumnDefinition, DdlDialect } from '../dialects/ddl-dialect.js';
import { otherColumn, otherTable } from './other-case.js';
import type { ExistingTable } from './existing.js';
import { enumSteps } from './enum-columns.js';
import type { DdlPlan, DdlStep, ForeignKeyDefinition, TableDefinition } from './table.js';
import {
  addColumn,
  addForeignKey,
  addKey,
  createIndex,
  createTable,
  nameList,
} from './statements.js';
import { withTypesOfKeys } from './type-of-key.js';
import { EngineError } from '../errors.js';
import {
  changeableTables,
  type FindTable,
  findTableIn,
  isChangeable,
  tableKeysOf,
} from './find-table.js';
import { dialectOf } from '../dialects/dialects.js';
import { storedTable } from '../dialects/table-name.js';

/** A mapping, the dialect, and the existing tables. */
export interface DdlRequest {
  readonly mapping: Mapping;
  /** The enums of the domain. */
  readonly enums: readonly Enum[];
  readonly dialect: DialectName;
  readonly existing: readonly ExistingTable[];
  readonly database?: OwnDatabase;
}

/** The connected database, where statements have to name it. */
export interface OwnDatabase {
  readonly name: string | undefined;
  /** If new tables need one. */
  readonly collation: string | undefined;
  /** Whether the server finds tables by their names in any case. */
  readonly ignoresCase: boolean;
}

/** A table, and the columns that it gets. */
interface Addition {
  readonly table: TableDefinition;
  /** Undefined if the table is new. */
  readonly present: ExistingTable | undefined;
  readonly columns: readonly ColumnDefinition[];
}

/** Plans the statements: first schemas, enumerated types and tables, then their keys and indexes, then foreign keys. */
export function planPush(request: DdlRequest): DdlPlan {
  const dialect = dialectOf(request.dialect).ddl;
  const collected = collectTables(request);
  const find = findTableIn(request.existing);
  const { tables, remarks } = changeableTables(collected.tables, find, 'push');
  refuseLongKeys(tables.filter(({ stored }) => !find(stored)));
  const additions = withTypesOfKeys(tables, find).map((table): Addition => {
    const present = find(table.stored);
    const columns = present ? missingColumns(table, present) : table.columns;
    return { table, present, columns };
  });
  const plan = (of: (table: TableDefinition, present: PresentTable) => readonly DdlStep[]) =>
    additions.flatMap(({ table, present }) => of(table, present ?? created(table)));
  const added = additions.flatMap(({ columns }) => columns);
  const steps = [
    ...schemaSteps(
      tables.filter(({ stored }) => !find(stored)),
      request.existing,
      dialect,
    ),
    ...enumSteps('create', added, dialect),
    ...additions.flatMap(({ table, present, columns }) =>
      present
        ? columns.map((each) => addColumn(table, each))
        : [createTable(table, request.database?.collation)],
    ),
    ...plan(keySteps),
    ...plan(indexSteps),
    ...plan((table, present) => foreignKeySteps(table, present, find, request.database?.name)),
  ];
  const lacking = additions.flatMap(({ table, columns }) =>
    columns.flatMap((column) => {
      const why = lackOf(column);
      return why === undefined ? [] : [`${table.name}.${column.name} ${why}`];
    }),
  );
  const notIndexed = tables.flatMap(({ name, dialect: { canIndex }, indexes }) =>
    indexes
      .filter((columns) => !columns.every(canIndex))
      .map((columns) => `index ${name} ${nameList(columns)}: the database cannot index JSON`),
  );
  return {
    steps,
    remarks: [
      ...missingViews(request, collected.tables),
      ...remarks,
      ...collected.remarks,
      ...additions.flatMap((each) => otherCases(each, request)),
      ...lacking,
      ...notIndexed,
    ],
  };
}

/** A remark for each read-only entity whose view does not exist, unless it reads one of these tables. */
function missingViews(request: DdlRequest, tables: readonly TableDefinition[]): readonly string[] {
  const { mapping, dialect, existing } = request;
  const { ddl } = dialectOf(dialect);
  const find = findTableIn(existing);
  const keyOf = tableKeysOf(request);
  const keys = new Set(tables.map(({ key }) => key));
  return mapping.entities
    .filter((entity) => entity.view && !keys.has(keyOf(entity.mapping)))
    .filter((entity) => !find(storedTable(ddl, entity.mapping)))
    .map(
      ({ name, mapping: view }) =>
        `no view ${view}: the entity ${name} is read-only, so push does not create it`,
    );
}

/** A remark for each new table or column beside one whose name differs only by case. */
function otherCases(
  { table: { name }, present, columns }: Addition,
  request: DdlRequest,
): readonly string[] {
  if (!present) {
    const other = otherTable(name, request);
    return other ? [`there was no table ${name}.${other}`] : [];
  }
  return columns.flatMap((column) => {
    const other = otherColumn({ mapping: column.name }, present, request.dialect);
    return other ? [`the table ${name} had no column ${column.name}.${other}`] : [];
  });
}

/** What a new column lacks, because the schema file does not contain it. */
function lackOf({ isReadOnly, isFilledIn }: ColumnDefinition): string | undefined {
  if (isReadOnly) return 'is a plain column; its property is read-only, so Rowgate never writes it';
  if (isFilledIn)
    return 'has no default, but its property has databaseDefault: add the default by hand';
  return undefined;
}

/** Throws an EngineError if new tables have keys that the database would refuse after creating other tables. */
function refuseLongKeys(tables: readonly TableDefinition[]): void {
  const keys = tables.flatMap(({ name, dialect, primaryKey, uniqueKeys, foreignKeys }) =>
    [
      primaryKey,
      ...(dialect.hashesUniqueKeys ? [] : uniqueKeys),
      ...foreignKeys.map(({ columns }) => columns),
    ]
      .filter((columns) => !dialect.fitsKey(columns))
      .map((columns) => `${name} ${nameList(columns)}`),
  );
  if (keys.length === 0) return;
  throw new EngineError(
    'unsupported',
    `The database does not allow such long keys: ${[...new Set(keys)].join(', ')}. ` +
      "Give each of their strings a 'length' in the schema file, at most 768 characters in one key. " +
      'A key cannot contain arrays, or properties of the types any, json and xml.',
  );
}

/** Creates the schemas of new tables; one that has a table exists. */
function schemaSteps(
  tables: readonly TableDefinition[],
  existing: readonly ExistingTable[],
  { createSchema }: DdlDialect,
): readonly DdlStep[] {
  if (!createSchema) return [];
  const held = new Set(existing.map(({ schema }) => schema));
  const names = new Set(tables.flatMap(({ stored: { schema } }) => schema ?? []));
  return [...names]
    .filter((name) => !held.has(name))
    .map((name) => ({ description: `create schema ${name}`, sql: createSchema(name) }));
}

/** The keys and indexes of a table. */
type PresentTable = Omit<ExistingTable, 'schema' | 'name' | 'isVisible' | 'kind' | 'columns'>;

/** The table as CREATE TABLE leaves it. */
function created(table: TableDefinition): PresentTable {
  const keysOf = (columns: readonly ColumnDefinition[]) => columns.map((column) => column.key);
  const uniqueKeys = table.uniqueKeys.map(keysOf);
  const primaryKey = keysOf(table.primaryKey);
  return { primaryKey, uniqueKeys, indexes: [primaryKey, ...uniqueKeys], foreignKeys: [] };
}

function missingColumns(table: TableDefinition, present: ExistingTable) {
  const columns = new Set(present.columns.map(({ name }) => table.dialect.columnKey(name)));
  return table.columns.filter((column) => !columns.has(column.key));
}

function keySteps(table: TableDefinition, present: PresentTable): DdlStep[] {
  const lacksPrimaryKey = present.primaryKey === undefined && table.primaryKey.length > 0;
  const { primaryKey = [], uniqueKeys, deferrableKeys = [] } = present;
  const held = [primaryKey, ...uniqueKeys, ...deferrableKeys].map((key) =>
    sortedText(key.map(table.dialect.columnKey)),
  );
  const missing = table.uniqueKeys.filter(
    (columns) => !held.includes(sortedText(columns.map((column) => column.key))),
  );
  return [
    ...(lacksPrimaryKey ? [addKey(table, table.primaryKey, 'pkey')] : []),
    ...missing.map((columns) => addKey(table, columns, 'key')),
  ];
}

/** Declared indexes, and one for each foreign key, because children are looked up by it. */
function indexSteps(table: TableDefinition, present: PresentTable): DdlStep[] {
  const { dialect } = table;
  const held = [...present.indexes, ...(present.otherIndexes ?? [])].map((columns) =>
    columns.map(dialect.columnKey),
  );
  const ofForeignKeys = dialect.indexesForeignKeys
    ? []
    : table.foreignKeys.map((key) => key.columns);
  const steps: DdlStep[] = [];
  for (const columns of [...table.indexes, ...ofForeignKeys]) {
    const keys = columns.map((column) => column.key);
    if (!columns.every(dialect.canIndex) || held.some((index) => beginsWith(index, keys))) continue;
    held.push(keys);
    steps.push(createIndex(table, columns));
  }
  return steps;
}

function beginsWith(index: readonly string[], keys: readonly string[]): boolean {
  return keys.every((key, position) => index[position] === key);
}

/** `own`: the connected database. A table of another one refers to the tables of that one by default. */
function foreignKeySteps(
  table: TableDefinition,
  present: PresentTable,
  find: FindTable,
  own: string | undefined,
): DdlStep[] {
  const { dialect } = table;
  const held = new Set(
    present.foreignKeys.map(
      (key) => `${sortedText(key.columns.map(dialect.columnKey))}\n${key.schema}\n${key.table}`,
    ),
  );
  // A view or a foreign table cannot be referred to.
  const isHeld = ({ columns, table: { stored } }: ForeignKeyDefinition): boolean => {
    const target = find(stored);
    if (!target) return false;
    return (
      !isChangeable(target) ||
      held.has(`${sortedText(columns.map(({ key }) => key))}\n${target.schema}\n${target.name}`)
    );
  };
  return table.foreignKeys
    .filter((key) => !isHeld(key))
    .map((key) => {
      const isElsewhere = table.stored.schema !== undefined && !key.table.stored.schema;
      if (!isElsewhere || own === undefined) return addForeignKey(table, key);
      const target = { ...key.table, name: `${dialect.quoteAlias(own)}.${key.table.name}` };
      return addForeignKey(table, { ...key, table: target });
    });
}
