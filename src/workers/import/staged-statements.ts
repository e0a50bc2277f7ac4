/** The SQL that brings staged rows from their temporary tables into those of the schema. */
import { invariant, type MappingEntity, postgresqlDdl } from '../../engine/index.js';
import type { StagedEntity } from './staged-entity.js';
import type { Nesting } from './staging.js';

/** A staged entity and the table that its rows are for. */
export interface StagedTable {
  readonly staged: StagedEntity;
  readonly entity: MappingEntity;
}

/** Makes the temporary table: the types of the columns, none of their constraints. */
export function createStatement(table: StagedTable): string {
  const columns = table.staged.fields.map((_, index) => `${columnName(table, index)} AS c${index}`);
  const own = ['NULL::int8 AS ordinal', 'NULL::int4 AS nesting', 'NULL::int8 AS parent'];
  return (
    `CREATE TEMP TABLE ${temporaryName(table.staged)} ON COMMIT DROP AS ` +
    `SELECT ${[...own, ...columns].join(', ')} FROM ${tableName(table)} WITH NO DATA`
  );
}

/** Takes lines of `copy-line.ts`. */
export function copyStatement({ staged }: StagedTable): string {
  return `COPY ${temporaryName(staged)} FROM STDIN`;
}

/** Gives every row that has no generated key one that nobody has, and tells the sequence. */
export function keyStatements(table: StagedTable): readonly string[] {
  return table.staged.fields.flatMap((field, index) => {
    if (!field.isGenerated) return [];
    const moved = table.staged.isGiven(index) ? [moveSequence(table, index)] : [];
    return table.staged.lacking(index) > 0 ? [...moved, makeKeys(table, index)] : moved;
  });
}

/** Gives the rows that nest their parent's key. */
export function parentStatement(nesting: Nesting): string {
  const { entity, parent, number, childIndex, parentIndex } = nesting;
  return (
    `UPDATE ${temporaryName(entity)} AS child SET c${childIndex} = around.c${parentIndex} ` +
    `FROM ${temporaryName(parent)} AS around ` +
    `WHERE child.nesting = ${number} AND around.ordinal = child.parent`
  );
}

/** Copies the rows into the table of the entity; columns that no row gives are left to it. */
export function insertStatement(table: StagedTable): string {
  const { staged } = table;
  const filled = new Set([...staged.waiting].map((nesting) => nesting.childIndex));
  const indexes = staged.fields.flatMap((field, index) =>
    staged.isGiven(index) || filled.has(index) || field.isGenerated ? [index] : [],
  );
  const from = `FROM ${temporaryName(staged)}`;
  if (indexes.length === 0) return `INSERT INTO ${tableName(table)} SELECT ${from}`;
  const columns = indexes.map((index) => columnName(table, index)).join(', ');
  const values = indexes.map((index) => staged.written(index, `c${index}`)).join(', ');
  return (
    `INSERT INTO ${tableName(table)} (${columns}) OVERRIDING SYSTEM VALUE ` +
    `SELECT ${values} ${from}`
  );
}

/** The name of the temporary table; `pg_temp` so that no table of the schema is meant. */
function temporaryName(staged: StagedEntity): string {
  return `pg_temp.rowgate_import_${staged.number}`;
}

function tableName({ entity }: StagedTable): string {
  return postgresqlDdl.quoteName(entity.mapping);
}

function columnName(table: StagedTable, index: number): string {
  return postgresqlDdl.quoteName(mappingOf(table, index));
}

function mappingOf({ staged, entity }: StagedTable, index: number): string {
  const name = staged.fields[index]?.property.name;
  const column = entity.properties.find((property) => property.name === name);
  invariant(column, `a column for ${entity.name}.${name}`);
  return column.mapping;
}

/** Never back: others may have taken keys that this transaction does not see. */
function moveSequence(table: StagedTable, index: number): string {
  const temporary = temporaryName(table.staged);
  const top = `greatest((SELECT max(c${index}) FROM ${temporary}), (SELECT max(${columnName(table, index)}) FROM ${tableName(table)}))`;
  return (
    `SELECT setval(sequence, top) FROM (SELECT ${sequenceOf(table, index)} AS sequence, ` +
    `${top}::int8 AS top) AS keys WHERE top > coalesce(pg_sequence_last_value(sequence), 0)`
  );
}

function makeKeys(table: StagedTable, index: number): string {
  const key = `nextval((SELECT ${sequenceOf(table, index)}))`;
  return `UPDATE ${temporaryName(table.staged)} SET c${index} = ${key} WHERE c${index} IS NULL`;
}

function sequenceOf(table: StagedTable, index: number): string {
  const { text, storedName } = postgresqlDdl;
  const column = storedName(mappingOf(table, index));
  return `pg_get_serial_sequence(${text(tableName(table))}, ${text(column)})::regclass`;
}
