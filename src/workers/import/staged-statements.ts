/** The SQL that copies rows from their temporary tables into those of the schema, on PostgreSQL. */
import {
  dialectOf,
  type Fields,
  moveSequenceSql,
  sequenceSql,
  type WriteField,
  writtenSql,
} from '../../engine/index.js';
import { plain, type Statement } from '../database/statement.js';
import type { FieldUse } from './copy-line.js';
import type { GivenKeys } from './given-keys.js';
import type { ImportEntity, Nesting } from './import-entity.js';
import type { ImportedKeys } from './row-checks.js';

/** What is known about the rows in a temporary table. */
export interface Staged extends FieldUse {
  readonly entity: ImportEntity;
  /** The nestings whose rows wait for their parents' keys. */
  readonly nestings: ReadonlySet<Nesting>;
}

/** Creates the temporary table, with the types of the columns but without their constraints. */
export function createStatement({ number, fields, write }: ImportEntity): Statement {
  const own = ['NULL::int8 AS ordinal', 'NULL::int4 AS nesting', 'NULL::int8 AS parent'];
  const columns = fields.map(({ column }, index) => `${column} AS c${index}`);
  const texts = ['NULL::text AS place', 'NULL::text AS absent'];
  return plain(
    `CREATE TEMP TABLE ${temporaryName(number)} ON COMMIT DROP AS ` +
      `SELECT ${[...own, ...columns, ...texts].join(', ')} FROM ${write.table} WITH NO DATA`,
  );
}

/** Finds the columns of a temporary table whose domain is NOT NULL: their names, and the types under the domains. */
const READ_REQUIRED_DOMAINS = `
WITH RECURSIVE types AS (
  SELECT attname, attcollation, atttypid AS type, atttypmod AS modifier, false AS is_required
  FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0
  UNION ALL
  SELECT attname, attcollation, typbasetype, typtypmod, is_required OR typnotnull
  FROM types JOIN pg_type ON pg_type.oid = type WHERE typtype = 'd'
)
SELECT attname, format_type(type, modifier), quote_ident(nspname) || '.' || quote_ident(collname)
FROM types JOIN pg_type ON pg_type.oid = type
LEFT JOIN pg_collation ON pg_collation.oid = attcollation
LEFT JOIN pg_namespace ON pg_namespace.oid = collnamespace
WHERE typtype <> 'd' AND is_required`;

export function requiredDomainsStatement({ number }: ImportEntity): Statement {
  return plain(READ_REQUIRED_DOMAINS, [temporaryName(number)]);
}

/** Lets staged rows lack values until they are copied into the table, which checks the domains. */
export function withoutDomains({ number }: ImportEntity, found: readonly Fields[]): Statement[] {
  const changes = found.map(([column, type, collation]) => {
    const collate = collation ? ` COLLATE ${collation}` : '';
    return `ALTER ${column} TYPE ${type}${collate}`;
  });
  if (changes.length === 0) return [];
  return [plain(`ALTER TABLE ${temporaryName(number)} ${changes.join(', ')}`)];
}

/** Takes lines of `copy-line.ts`. */
export function copyStatement({ number }: ImportEntity, lines: Buffer): Statement {
  return { ...plain(`COPY ${temporaryName(number)} FROM STDIN`), lines };
}

/**
 * Moves the sequence past the explicit keys of a table, and those that it has. The last number of the sequence does not
 * count, because none comes after it.
 */
export function moveStatement({ entity, field, lowest, highest }: GivenKeys): Statement {
  const { table } = entity.write;
  const end = (pick: string, key: string, aggregate: string, last: string) =>
    `${pick}(nullif(${key}::int8, ${last}), nullif((SELECT ${aggregate}(${field.column}) FROM ${table})::int8, ${last}))`;
  const ends = {
    highest: end('greatest', '$3', 'max', 'maximum_value'),
    lowest: end('least', '$4', 'min', 'minimum_value'),
  };
  const text = moveSequenceSql({ ...ends, table: '$1', column: '$2' });
  return plain(text, [table, field.storedColumn, String(highest), String(lowest)]);
}

/** Moves sequences past the keys that rows have from their parents, where the database could generate them. */
export function moveInheritedStatements(stage: Staged): Statement[] {
  const { generated, number, write } = stage.entity;
  return generated.flatMap((field) => {
    if (inheriting(stage, field).length === 0) return [];
    const end = (aggregate: string) =>
      `(SELECT ${aggregate}(${staged(stage.entity, field.property)}) FROM ${temporaryName(number)})::int8`;
    const ends = { highest: end('max'), lowest: end('min') };
    const text = moveSequenceSql({ ...ends, table: '$1', column: '$2' });
    return [plain(text, [write.table, field.storedColumn])];
  });
}

/** The nestings whose rows have a key of their parent in the field. */
function inheriting({ nestings }: Staged, { property }: WriteField): readonly Nesting[] {
  return [...nestings].filter(({ to }) => to.includes(property));
}

/** Gives every row an unused key if it has none, unless it is that of its parent. */
export function makeStatements(stage: Staged): readonly Statement[] {
  const { entity, isAbsent } = stage;
  return entity.fields.flatMap((field, index) => {
    if (!field.generated || !isAbsent[index]) return [];
    const numbers = inheriting(stage, field).map(({ number }) => number);
    const text =
      `UPDATE ${temporaryName(entity.number)} SET c${index} = nextval((SELECT ${sequenceSql('$1', '$2')})) ` +
      `WHERE c${index} IS NULL AND nesting <> ALL ('{${numbers.join()}}')`;
    return [plain(text, [entity.write.table, field.storedColumn])];
  });
}

/** Gives nested rows their parent's key. It changes only rows that lack a part of it that the parent has. */
export function parentStatement({ entity, parent, number, from, to }: Nesting): Statement {
  const parts = to.map((name, index) => {
    const given = `parent_row.${staged(parent, from[index] ?? name)}`;
    return { column: staged(entity, name), given };
  });
  const set = parts.map(({ column, given }) => `${column} = ${given}`);
  const lacks = parts.map(
    ({ column, given }) => `child.${column} IS NULL AND ${given} IS NOT NULL`,
  );
  return plain(
    `UPDATE ${temporaryName(entity.number)} AS child SET ${set.join(', ')} ` +
      `FROM ${temporaryName(parent.number)} AS parent_row ` +
      `WHERE child.nesting = ${number} AND parent_row.ordinal = child.parent AND (${lacks.join(' OR ')})`,
  );
}

/** The statement that reads the defaults of columns; undefined if no column lacks a value in only some rows. */
export function defaultsStatement(stage: Staged): Statement | undefined {
  return lackedColumns(stage).length > 0
    ? plain(READ_DEFAULTS, [stage.entity.write.table])
    : undefined;
}

/** A column of a domain type has the default of the domain, unless it has its own. */
const READ_DEFAULTS = [
  'SELECT attname, coalesce(pg_get_expr(adbin, attrelid), pg_get_expr(typdefaultbin, 0))',
  'FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid',
  'LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum',
  "WHERE attrelid = $1::regclass AND attnum > 0 AND attgenerated = ''",
].join(' ');

/** Gives each row that lacks a value the default of its column: SQL as the database prints it. */
export function defaultStatements(
  stage: Staged,
  defaults: readonly Fields[],
): readonly Statement[] {
  const temporary = temporaryName(stage.entity.number);
  const byColumn = new Map(defaults.map(([column = null, value = null]) => [column, value]));
  return lackedColumns(stage).flatMap(({ index, name }) => {
    const value = byColumn.get(name) ?? null;
    // A parent's key may have been filled in.
    const isLacking = `c${index} IS NULL AND substr(absent, ${index + 1}, 1) = '1'`;
    return value === null
      ? []
      : [plain(`UPDATE ${temporary} SET c${index} = ${value} WHERE ${isLacking}`)];
  });
}

/** The columns that are written although some rows have no value, which nothing else makes. */
function lackedColumns(
  stage: Staged,
): readonly { readonly index: number; readonly name: string }[] {
  return stage.entity.fields.flatMap((field, index) => {
    const isLacked = stage.isAbsent[index] && !isMade(field) && isWritten(stage, field, index);
    return isLacked ? [{ index, name: field.storedColumn }] : [];
  });
}

/** Whether a missing value is made without the default of the column. */
function isMade({ generated, writeExp }: WriteField): boolean {
  return generated || writeExp !== undefined;
}

/** Whether some row has a value for the field, or gets one. */
function isWritten({ isPresent, nestings }: Staged, field: WriteField, index: number): boolean {
  const isFilled = () => [...nestings].some(({ to }) => to.includes(field.property));
  return isPresent[index] === true || isMade(field) || isFilled();
}

/** Columns without any value are left to their defaults. */
export function insertStatement(stage: Staged): Statement {
  const { entity } = stage;
  const written = writtenColumns(stage);
  const { table } = entity.write;
  const from = `FROM ${temporaryName(entity.number)}`;
  if (written.length === 0) return plain(`INSERT INTO ${table} SELECT ${from}`);
  const columns = written.map(({ column }) => column).join(', ');
  const values = written.map(({ value }) => value).join(', ');
  return plain(
    `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${values} ${from}`,
  );
}

/**
 * Stores the rows of several tables, and returns the number of rows in each. PostgreSQL checks foreign keys at the end of a
 * statement, so the tables may refer to each other.
 */
export function insertTogetherStatement(stages: readonly Staged[]): Statement {
  const names = stages.map(({ entity }) => `stored_${entity.number}`);
  const inserts = stages.map((stage, index) => {
    const { text } = insertStatement(stage);
    return `${names[index]} AS (${text} RETURNING 1)`;
  });
  const counts = names.map((name) => `(SELECT count(*) FROM ${name})`);
  return plain(`WITH ${inserts.join(', ')} SELECT ${counts.join(', ')}`);
}

/** The columns of the table that are written, and the SQL of their values over a staged row. */
export function writtenColumns(stage: Staged) {
  return stage.entity.fields.flatMap((field, index) => {
    const { column, storedColumn } = field;
    const value = writtenSql(dialectOf('PostgreSQL'), field, `c${index}`);
    return isWritten(stage, field, index) ? [{ column, storedColumn, value }] : [];
  });
}

/** The keys of the rows, as they are stored; undefined if no row has one of their parts. */
export function keysOf(stage: Staged): ImportedKeys | undefined {
  const { number, fields, write } = stage.entity;
  const written = writtenColumns(stage);
  const parts = write.primaryKey.flatMap((name) => {
    const stored = fields.find(({ property }) => property === name)?.storedColumn;
    return written.find(({ storedColumn }) => storedColumn === stored)?.value ?? [];
  });
  if (parts.length < write.primaryKey.length) return undefined;
  const columns = parts.map((value, index) => `${value} AS c${index}`).join(', ');
  const table = `(SELECT ctid AS line, place, ${columns} FROM ${temporaryName(number)})`;
  return { table, found: 'place' };
}

/** The name of the temporary table; with `pg_temp`, it cannot mean a table of the schema. */
export function temporaryName(number: number): string {
  return `pg_temp.rowgate_import_${number}`;
}

function staged({ fields }: ImportEntity, property: string): string {
  return `c${fields.findIndex((field) => field.property === property)}`;
}
