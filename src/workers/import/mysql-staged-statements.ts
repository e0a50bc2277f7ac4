/**
 * The SQL that brings staged rows from their temporary tables into those of the schema, on MySQL and
 * MariaDB. A temporary table can stand in a statement only once there.
 */
import { dialectOf, invariant, type MappingEntity, writeDialectOf } from '../../engine/index.js';
import type { StagedEntity } from './staged-entity.js';
import type { StagedTable } from './staged-statements.js';
import type { Nesting } from './staging.js';

const { quoteName, quoteAlias, storedName } = dialectOf('MariaDB');
const { madeKeys } = writeDialectOf('MariaDB');

/** Of the rows whose keys are all known, and that are not stored yet. */
const READY = 'nesting = 0 AND stored = 0';

/** Makes the temporary table: the types of the columns, none of their constraints. */
export function createStatement(table: StagedTable): string {
  const columns = table.staged.fields.map(
    (_, index) => `t.${columnName(table, index)} AS c${index}`,
  );
  const own = [
    'line BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY',
    'ordinal BIGINT',
    'nesting INT NOT NULL DEFAULT 0',
    'parent BIGINT',
    'stored TINYINT NOT NULL DEFAULT 0',
    'KEY (ordinal)',
    'KEY (nesting)',
  ];
  // What a union joins to a null may be null.
  const nulls = columns.map(() => 'NULL').join(', ');
  const nothing = `${tableName(table)} t WHERE FALSE UNION ALL SELECT ${nulls} LIMIT 0`;
  return (
    `CREATE TEMPORARY TABLE ${temporaryName(table.staged)} (${own.join(', ')}) ` +
    `ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 SELECT ${columns.join(', ')} FROM ${nothing}`
  );
}

/** Takes so many rows as lines of `copy-line.ts` hold them. */
export function stageStatement({ staged }: StagedTable, rows: number): string {
  const columns = ['ordinal', 'nesting', 'parent', ...staged.fields.map((_, index) => `c${index}`)];
  return (
    `INSERT INTO ${temporaryName(staged)} (${columns.join(', ')}) ` +
    `VALUES ${holes(columns.length, rows)}`
  );
}

/** Gives the rows that nest the keys of those parents that are stored. */
export function parentStatements({ entity, parent, ...nesting }: Nesting): readonly string[] {
  const { number, childIndex, parentIndex } = nesting;
  const key = `c${parentIndex}`;
  const fill = (from: string, isStored: string): string =>
    `UPDATE ${temporaryName(entity)} AS child INNER JOIN ${from} AS around ` +
    `ON around.ordinal = child.parent SET child.c${childIndex} = around.${key}, ` +
    `child.nesting = 0 WHERE child.nesting = ${number}${isStored}`;
  if (parent !== entity) return [fill(temporaryName(parent), ' AND around.stored = 1')];
  const copy = 'rowgate_import_keys';
  return [
    `CREATE TEMPORARY TABLE ${copy} AS SELECT ordinal, ${key} FROM ${temporaryName(parent)} WHERE stored = 1`,
    fill(copy, ''),
    `DROP TEMPORARY TABLE ${copy}`,
  ];
}

/** Copies the ready rows that have a key into the table; columns that no row gives are left to it. */
export function insertStatement(table: StagedTable): string {
  const { staged } = table;
  const written = writtenIndexes(table);
  const indexes = written.length > 0 ? written : staged.fields.slice(0, 1).map((_, index) => index);
  const columns = indexes.map((index) => columnName(table, index)).join(', ');
  const values = indexes.map((index) => staged.written(index, `c${index}`)).join(', ');
  return (
    `INSERT INTO ${tableName(table)} (${columns}) SELECT ${values} ` +
    `FROM ${temporaryName(staged)} WHERE ${keyedRows(staged)} ORDER BY line`
  );
}

/** Tells that {@link insertStatement} has stored them. */
export function storedStatement({ staged }: StagedTable): string {
  return `UPDATE ${temporaryName(staged)} SET stored = 1 WHERE ${keyedRows(staged)}`;
}

/** Some ready rows for which the database is to make keys: their lines, and what they write. */
export function keylessStatement(table: StagedTable, key: number, rows: number): string {
  const columns = ['line', ...keylessIndexes(table, key).map((index) => `c${index}`)];
  return (
    `SELECT ${columns.join(', ')} FROM ${temporaryName(table.staged)} ` +
    `WHERE ${READY} AND c${key} IS NULL ORDER BY line LIMIT ${rows}`
  );
}

/** Inserts so many rows of {@link keylessStatement}, their lines left out. */
export function makeKeysStatement(table: StagedTable, key: number, rows: number): string {
  const indexes = keylessIndexes(table, key);
  const columns = indexes.map((index) => columnName(table, index));
  const into = `INSERT INTO ${tableName(table)} (${columns.join(', ')})`;
  const row = `(${indexes.map((index) => table.staged.written(index, '?')).join(', ')})`;
  return `${into} VALUES ${Array.from({ length: rows }, () => row).join(', ')}`;
}

/** The keys that were made for the rows just inserted, in their order. */
export function madeKeysStatement(table: StagedTable, key: number, rows: number): string {
  const column = columnName(table, key);
  const condition = madeKeys(column, rows);
  return `SELECT ${column} FROM ${tableName(table)} WHERE ${condition} ORDER BY ${column}`;
}

/** Keeps lines with the keys that were made for them. */
export function keepKeysStatement({ staged }: StagedTable, key: number, rows: number): string {
  const row = '(?, 0, 1, ?)';
  return (
    `INSERT INTO ${temporaryName(staged)} (line, nesting, stored, c${key}) ` +
    `VALUES ${Array.from({ length: rows }, () => row).join(', ')} ` +
    `ON DUPLICATE KEY UPDATE stored = 1, c${key} = VALUES(c${key})`
  );
}

/** A foreign key of a table, as the catalog has it. */
export interface StoredReference {
  readonly columns: readonly string[];
  readonly table: string;
  readonly targets: readonly string[];
}

/** Asks for the columns of the foreign keys of a table, one row each. */
export const REFERENCES = `
SELECT CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE
WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?
ORDER BY CONSTRAINT_NAME, ORDINAL_POSITION`;

/** A row that refers to none; undefined where the rows do not give the reference. */
export function danglingStatement(
  table: StagedTable,
  { columns, table: target, targets }: StoredReference,
): string | undefined {
  const indexes = columns.map((column) => indexOfColumn(table, column));
  if (indexes.includes(-1)) return undefined;
  const parts = indexes.map((index, position) => ({
    own: `child.c${index}`,
    key: `around.${quoteAlias(targets[position] ?? '')}`,
  }));
  const [first] = parts;
  const joined = parts.map(({ own, key }) => `${key} = ${own}`).join(' AND ');
  const given = parts.map(({ own }) => `${own} IS NOT NULL`).join(' AND ');
  return (
    `SELECT child.line FROM ${temporaryName(table.staged)} AS child ` +
    `LEFT JOIN ${quoteAlias(target)} AS around ON ${joined} ` +
    `WHERE ${given} AND ${first?.key} IS NULL LIMIT 1 LOCK IN SHARE MODE`
  );
}

/** The place of the key that the database makes, among the fields; -1 without one. */
export function generatedIndex({ fields }: StagedEntity): number {
  return fields.findIndex(({ isGenerated }) => isGenerated);
}

/** The stored name of the table. */
export function storedTable({ entity }: StagedTable): string {
  return storedName(entity.mapping);
}

function keylessIndexes(table: StagedTable, key: number): readonly number[] {
  return writtenIndexes(table).filter((index) => index !== key);
}

function writtenIndexes({ staged }: StagedTable): readonly number[] {
  const filled = new Set([...staged.waiting].map((nesting) => nesting.childIndex));
  return staged.fields.flatMap((field, index) =>
    staged.isGiven(index) || filled.has(index) || field.isGenerated ? [index] : [],
  );
}

function keyedRows(staged: StagedEntity): string {
  const key = generatedIndex(staged);
  return key < 0 ? READY : `${READY} AND c${key} IS NOT NULL`;
}

function holes(columns: number, rows: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
  return Array.from({ length: rows }, () => row).join(', ');
}

function temporaryName(staged: StagedEntity): string {
  return `rowgate_import_${staged.number}`;
}

function tableName({ entity }: StagedTable): string {
  return quoteName(entity.mapping);
}

function columnName(table: StagedTable, index: number): string {
  return quoteName(mappingOf(table, index));
}

/** Names of columns have no case. */
function indexOfColumn(table: StagedTable, column: string): number {
  const name = column.toLowerCase();
  return table.staged.fields.findIndex(
    (_, index) => storedName(mappingOf(table, index)).toLowerCase() === name,
  );
}

function mappingOf(
  { staged, entity }: { staged: StagedEntity; entity: MappingEntity },
  index: number,
) {
  const name = staged.fields[index]?.property.name;
  const column = entity.properties.find((property) => property.name === name);
  invariant(column, `a column for ${entity.name}.${name}`);
  return column.mapping;
}
