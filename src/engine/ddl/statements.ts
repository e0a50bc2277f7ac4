/** Writes the statements that create or drop tables and their parts. */
import { type ConstraintKind, constraintName, foreignKeyName } from './constraint-name.js';
import type { ColumnDefinition, DdlDialect } from '../dialects/ddl-dialect.js';
import { defaultClause } from './default-clause.js';
import type { DdlStep, ForeignKeyDefinition, TableDefinition } from './table.js';
import { quoteTable } from '../dialects/table-name.js';

type Columns = readonly ColumnDefinition[];

/** CREATE TABLE with its primary and unique keys, and with a collation if the dialect has one. */
export function createTable(table: TableDefinition, collation: string | undefined): DdlStep {
  const { dialect } = table;
  const parts = [
    ...table.columns.map((column) => columnText(column, dialect)),
    ...(table.primaryKey.length > 0 ? [keyText(table, table.primaryKey, 'pkey')] : []),
    ...table.uniqueKeys.map((columns) => keyText(table, columns, 'key')),
    ...unkeyedNumbers(table).map((column) => `KEY (${dialect.quoteName(column.name)})`),
  ];
  const name = quoteTable(dialect, table.name);
  const suffix = dialect.tableSuffix(collation);
  const sql = `CREATE TABLE ${name} (\n  ${parts.join(',\n  ')}\n)${suffix}`;
  return { description: `create table ${table.name}`, sql };
}

/** For dialects that require it: autoIncrement columns with which no key begins. */
function unkeyedNumbers(table: TableDefinition): Columns {
  if (!table.dialect.numbersKeys) return [];
  const firsts = new Set([table.primaryKey, ...table.uniqueKeys].map(([first]) => first?.key));
  return table.columns.filter(({ autoIncrement, key }) => autoIncrement && !firsts.has(key));
}

/** Adds a column that existing rows can accept: it is required only if the database has a value for them. */
export function addColumn(table: TableDefinition, column: ColumnDefinition): DdlStep {
  const { dialect } = table;
  const required = column.required && defaultClause(column, dialect) !== '';
  const added = { ...column, required };
  const unique = column.autoIncrement && dialect.numbersKeys ? ' UNIQUE' : '';
  const note = column.required && !added.required ? ', nullable because rows may be there' : '';
  return {
    description: `add column ${table.name}.${column.name}${note}`,
    sql: `${alter(table)} ADD COLUMN ${columnText(added, dialect)}${unique}`,
  };
}

/** Adds a primary key (`pkey`) or a unique key (`key`) to an existing table. */
export function addKey(table: TableDefinition, columns: Columns, kind: 'pkey' | 'key'): DdlStep {
  const what = kind === 'pkey' ? 'primary key' : 'unique key';
  return {
    description: `add ${what} ${table.name} ${nameList(columns)}`,
    sql: `${alter(table)} ADD ${keyText(table, columns, kind)}`,
  };
}

export function createIndex(table: TableDefinition, columns: Columns): DdlStep {
  const { dialect } = table;
  const name = ownName(table, columns, 'idx');
  const list = columns.map((column) => dialect.indexedColumn(column, columns)).join(', ');
  const on = `${quoteTable(dialect, table.name)} (${list})`;
  return {
    description: `create index ${table.name} ${nameList(columns)}`,
    sql: `CREATE INDEX ${name} ON ${on}`,
  };
}

export function addForeignKey(table: TableDefinition, key: ForeignKeyDefinition): DdlStep {
  const { dialect } = table;
  const name = dialect.quoteName(foreignKeyName(table, key));
  const from = `FOREIGN KEY (${columnList(key.columns, dialect)})`;
  const to = `${quoteTable(dialect, key.table.name)} (${columnList(key.targets, dialect)})`;
  const constraint = `CONSTRAINT ${name} ${from} REFERENCES ${to}${dialect.foreignKeySuffix}`;
  return {
    description: `add foreign key ${table.name} ${nameList(key.columns)} to ${key.table.name}`,
    sql: `${alter(table)} ADD ${constraint}`,
  };
}

/** Drops a foreign key, given by its stored name. */
export function dropForeignKey(table: TableDefinition, name: string): DdlStep {
  const { dialect } = table;
  return {
    description: `drop foreign key ${name} of ${table.name}`,
    sql: `${alter(table)} ${dialect.dropForeignKey} ${dialect.quoteAlias(name)}`,
  };
}

/** Drops a table. The statement fails if other objects depend on the table. */
export function dropTable({ name, dialect }: Pick<TableDefinition, 'name' | 'dialect'>): DdlStep {
  const sql = `DROP TABLE IF EXISTS ${quoteTable(dialect, name)}`;
  return { description: `drop table ${name}`, sql };
}

function columnText(column: ColumnDefinition, dialect: DdlDialect): string {
  const required = column.required ? ' NOT NULL' : '';
  const name = dialect.quoteName(column.name);
  return `${name} ${dialect.columnType(column)}${required}${defaultClause(column, dialect)}`;
}

function keyText(table: TableDefinition, columns: Columns, kind: 'pkey' | 'key'): string {
  const words = kind === 'pkey' ? 'PRIMARY KEY' : 'UNIQUE';
  const name = ownName(table, columns, kind);
  return `CONSTRAINT ${name} ${words} (${columnList(columns, table.dialect)})`;
}

function ownName(table: TableDefinition, columns: Columns, kind: ConstraintKind): string {
  return table.dialect.quoteName(constraintName(table, columns, kind));
}

function alter({ name, dialect }: TableDefinition): string {
  return `ALTER TABLE ${quoteTable(dialect, name)}`;
}

function columnList(columns: Columns, dialect: DdlDialect): string {
  return columns.map((column) => dialect.quoteName(column.name)).join(', ');
}

export function nameList(columns: Columns): string {
  return `(${columns.map((column) => column.name).join(', ')})`;
}
