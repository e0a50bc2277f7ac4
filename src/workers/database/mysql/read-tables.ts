/**
 * Reads tables and views from the catalog of MySQL and MariaDB, with one query for each catalog
 * table and database.
 */
import type { Connection } from 'mariadb';
import { addToGroup } from '../../add-to-group.js';
import type { Digits, ExistingColumn, ExistingTable } from '../../../engine/index.js';
import { NO_DATABASE } from './errors.js';

const TABLES = `
SELECT TABLE_NAME, TABLE_TYPE, TABLE_COMMENT
FROM information_schema.TABLES
WHERE TABLE_SCHEMA = ? AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
ORDER BY TABLE_NAME`;

const COLUMNS = `
SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, CHARACTER_MAXIMUM_LENGTH, IS_NULLABLE,
  COLUMN_DEFAULT, EXTRA, COLUMN_COMMENT, COLLATION_NAME, GENERATION_EXPRESSION
FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA = ?
ORDER BY TABLE_NAME, ORDINAL_POSITION`;

/** An index on a prefix of a string is not a key. */
const INDEXES = `
SELECT TABLE_NAME, INDEX_NAME, NON_UNIQUE OR SUB_PART IS NOT NULL, COLUMN_NAME, INDEX_TYPE = 'BTREE' AND SUB_PART IS NULL
FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA = ?
ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`;

const FOREIGN_KEYS = `
SELECT TABLE_NAME, CONSTRAINT_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, COLUMN_NAME,
  REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE
WHERE TABLE_SCHEMA = ? AND REFERENCED_TABLE_NAME IS NOT NULL
ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;

const INSERT_TRIGGERS = `
SELECT DISTINCT EVENT_OBJECT_TABLE
FROM information_schema.TRIGGERS
WHERE EVENT_OBJECT_SCHEMA = ? AND ACTION_TIMING = 'BEFORE' AND EVENT_MANIPULATION = 'INSERT'`;

/** MariaDB stores JSON as a string with a check constraint. */
const JSON_CHECKS = `
SELECT TABLE_NAME, CONSTRAINT_NAME
FROM information_schema.CHECK_CONSTRAINTS
WHERE CONSTRAINT_SCHEMA = ? AND CHECK_CLAUSE = CONCAT('json_valid(\`', CONSTRAINT_NAME, '\`)')`;

/** The tables of the connection's own database and those of the given ones. Rejects if there are none of either. */
export async function readTables(
  client: Connection,
  schemas: readonly string[],
): Promise<readonly ExistingTable[]> {
  const sql = 'SELECT DATABASE(), @@lower_case_table_names';
  const [[own = null, folding] = []] = await rowsOf(client, sql, []);
  if (own === null && schemas.length === 0) throw new Error(NO_DATABASE);
  const ignoresCase = folding !== '0';
  const isOwn = (name: string) => ignoresCase && name.toLowerCase() === own?.toLowerCase();
  // With 1, the server stores names in lower case; with 2, as they were given.
  const folded = schemas
    .filter((name) => !isOwn(name))
    .map((name) => (folding === '1' ? name.toLowerCase() : name));
  const names = new Set([...(own === null ? [] : [own]), ...folded]);
  const tables: ExistingTable[] = [];
  for (const name of names) tables.push(...(await tablesOf(client, name, name === own)));
  return ignoresCase ? tables.map((table) => ({ ...table, ignoresCase })) : tables;
}

async function tablesOf(
  client: Connection,
  schema: string,
  isVisible: boolean,
): Promise<readonly ExistingTable[]> {
  const tables = await rowsOf(client, TABLES, [schema]);
  const columns = grouped(await rowsOf(client, COLUMNS, [schema]));
  const indexes = grouped(await rowsOf(client, INDEXES, [schema]));
  const foreignKeys = grouped(await rowsOf(client, FOREIGN_KEYS, [schema]));
  const triggers = grouped(await rowsOf(client, INSERT_TRIGGERS, [schema]));
  const isMariadb = client.info?.serverVersion.mariaDb === true;
  const checked = grouped(isMariadb ? await rowsOf(client, JSON_CHECKS, [schema]) : []);
  return tables.map(([name, type, comment]): ExistingTable => {
    const table = name ?? '';
    const kind = type === 'VIEW' ? 'view' : 'table';
    return {
      schema,
      name: table,
      isVisible,
      kind,
      columns: (columns.get(table) ?? []).map((row) => ({
        ...columnOf(row, isMariadb),
        ...(checked.get(table)?.some(([column]) => column === row[0]) && asJson),
      })),
      ...keysOf(indexes.get(table) ?? [], columns.get(table) ?? []),
      foreignKeys: [...grouped(foreignKeys.get(table) ?? [])].map(([key, parts]) => ({
        name: key,
        columns: parts.map((part) => part[2] ?? ''),
        schema: parts[0]?.[0] ?? '',
        table: parts[0]?.[1] ?? '',
        targetColumns: parts.map((part) => part[3] ?? ''),
      })),
      hasInsertTrigger: triggers.has(table),
      // The comment of every view is VIEW.
      ...(kind === 'table' && comment && { comment }),
    };
  });
}

const asJson = { type: 'json', declared: 'json' };

type Keys = Pick<ExistingTable, 'primaryKey' | 'uniqueKeys' | 'indexes' | 'otherIndexes'>;

/** In a table with system versioning, MariaDB adds the end of a row's validity to each key. */
function keysOf(parts: readonly Row[], all: readonly Row[]): Keys {
  const periods = new Set(all.filter((row) => isPeriod(row)).map(([name]) => name));
  const keys = [...grouped(parts.filter(([, , column = null]) => !periods.has(column)))]
    // A part of an index over an expression has no column.
    .filter(([, columns]) => columns.every(([, column]) => column !== null))
    .map(([index, columns]) => ({
      isPrimary: index === 'PRIMARY',
      isUnique: columns.every(([isNoKey]) => isNoKey === '0'),
      isTree: columns.every(([, , isTree]) => isTree === '1'),
      columns: columns.map((column) => column[1] ?? ''),
    }));
  return {
    primaryKey: keys.find((key) => key.isPrimary)?.columns,
    uniqueKeys: keys.filter((key) => key.isUnique && !key.isPrimary).map((key) => key.columns),
    indexes: keys.filter(({ isTree }) => isTree).map((key) => key.columns),
    otherIndexes: keys.filter(({ isTree }) => !isTree).map((key) => key.columns),
  };
}

/** Whether a column is GENERATED ALWAYS AS ROW START or ROW END. */
function isPeriod(row: Row): boolean {
  return /^ROW (START|END)$/i.test(row[9] ?? '');
}

/** Types whose display width shows what they are used for. */
const FLAGS = new Set(['tinyint(1)', 'bit(1)']);

function columnOf(row: Row, isMariadb: boolean): ExistingColumn {
  const [name, type, declared, length, isNullable, fallback, extra, comment, collation] = row;
  const fullType = declared ?? '';
  const marks = (extra ?? '').toUpperCase();
  const isComputed = /\b(VIRTUAL|STORED|PERSISTENT) GENERATED|\b(VIRTUAL|PERSISTENT)\b/.test(marks);
  const isNumbered = marks.includes('AUTO_INCREMENT');
  const digits = type === 'decimal' ? digitsOf(fullType) : undefined;
  const given = defaultText(fallback ?? null, marks, isMariadb);
  return {
    name: name ?? '',
    type: FLAGS.has(fullType) ? fullType : (type ?? ''),
    declared: fullType,
    ...(length && { length: Number(length) }),
    ...(digits && { digits }),
    ...(collation && { collation }),
    isNullable: isNullable === 'YES',
    ...(given !== undefined && !isComputed && { default: given }),
    origin: isComputed ? 'computed' : isNumbered ? 'numbered' : 'given',
    ...(type === 'enum' && { enum: { name: undefined, values: enumValues(fullType) } }),
    ...(comment && { comment }),
  };
}

/** The digits of `decimal(8,2)`. */
function digitsOf(declared: string): Digits | undefined {
  const [, precision, scale] = /\((\d+),(\d+)\)/.exec(declared) ?? [];
  return precision === undefined
    ? undefined
    : { precision: Number(precision), scale: Number(scale) };
}

/**
 * MariaDB returns SQL, with NULL for none. MySQL returns the bare text of a constant. A string is returned as
 * the SQL standard writes it.
 */
function defaultText(value: string | null, marks: string, isMariadb: boolean): string | undefined {
  if (value === null || (isMariadb && value === 'NULL')) return undefined;
  if (!isMariadb) return marks.includes('DEFAULT_GENERATED') ? value : standardLiteral(value);
  const [, content] = /^'((?:[^'\\]|''|\\.)*)'$/s.exec(value) ?? [];
  return content === undefined ? value : standardLiteral(unescaped(content));
}

function standardLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The values of `enum('a','b''c','d\\\\e')`. */
function enumValues(declared: string): readonly string[] {
  return [...declared.matchAll(/'((?:[^'\\]|''|\\.)*)'/gs)].map(([, value = '']) =>
    unescaped(value),
  );
}

/** The text of a literal as the server prints it, whatever its `sql_mode`. */
function unescaped(content: string): string {
  return content.replaceAll(/''|\\(.)/gs, (_, letter?: string) =>
    letter === undefined ? "'" : (controls.get(letter) ?? letter),
  );
}

const controls = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['0', '\0'],
]);

type Row = readonly (string | null)[];

async function rowsOf(
  client: Connection,
  sql: string,
  values: readonly string[],
): Promise<readonly Row[]> {
  const rows: readonly (readonly unknown[])[] = await client.query(sql, values);
  return rows.map((row) => row.map((value) => (value === null ? null : String(value))));
}

/** Groups rows by their first column, which is removed. */
function grouped(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const [name, ...rest] of rows) {
    addToGroup(groups, name ?? '', rest);
  }
  return groups;
}
