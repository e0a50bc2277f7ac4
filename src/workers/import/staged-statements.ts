/** The SQL that brings rows from their temporary tables into those of the schema, on PostgreSQL. */
import { dialectOf, writtenSql } from '../../engine/index.js';
import { plain, type Statement } from '../database/statement.js';
import type { FieldUse } from './copy-line.js';
import type { ImportEntity, Nesting } from './import-entity.js';

/** What is known of the rows in a temporary table. */
export interface Staged extends FieldUse {
  readonly entity: ImportEntity;
  /** The nestings whose rows wait for their parents' keys. */
  readonly nestings: ReadonlySet<Nesting>;
}

/** Makes the temporary table: the types of the columns, none of their constraints. */
export function createStatement({ number, fields, write }: ImportEntity): Statement {
  const own = ['NULL::int8 AS ordinal', 'NULL::int4 AS nesting', 'NULL::int8 AS parent'];
  const columns = fields.map(({ column }, index) => `${column} AS c${index}`);
  return plain(
    `CREATE TEMP TABLE ${temporaryName(number)} ON COMMIT DROP AS ` +
      `SELECT ${[...own, ...columns].join(', ')} FROM ${write.table} WITH NO DATA`,
  );
}

/** Takes lines of `copy-line.ts`. */
export function copyStatement({ number }: ImportEntity, lines: Buffer): Statement {
  return { ...plain(`COPY ${temporaryName(number)} FROM STDIN`), lines };
}

/** Gives every row without a generated key an unused one, and moves the sequence past the others. */
export function keyStatements(stage: Staged): readonly Statement[] {
  const { entity, isPresent, isAbsent } = stage;
  const temporary = temporaryName(entity.number);
  const { table } = entity.write;
  return entity.fields.flatMap(({ generated, column, storedColumn }, index) => {
    if (!generated) return [];
    const key = `c${index}`;
    const parameters = [table, storedColumn];
    const sequence = 'pg_get_serial_sequence($1, $2)::regclass';
    const top = `greatest((SELECT max(${key}) FROM ${temporary}), (SELECT max(${column}) FROM ${table}))`;
    // Never back: others may have taken keys that this transaction does not see.
    const move =
      `SELECT setval(sequence, top) FROM (SELECT ${sequence} AS sequence, ${top}::int8 AS top) AS keys ` +
      `WHERE top > coalesce(pg_sequence_last_value(sequence), 0)`;
    const make = `UPDATE ${temporary} SET ${key} = nextval((SELECT ${sequence})) WHERE ${key} IS NULL`;
    const needed = [...(isPresent[index] ? [move] : []), ...(isAbsent[index] ? [make] : [])];
    return needed.map((text) => ({ text, parameters }));
  });
}

/** Gives the rows that nest their parent's key. */
export function parentStatement({ entity, parent, number, from, to }: Nesting): Statement {
  const set = to.map(
    (name, index) => `${staged(entity, name)} = parent_row.${staged(parent, from[index] ?? name)}`,
  );
  return plain(
    `UPDATE ${temporaryName(entity.number)} AS child SET ${set.join(', ')} ` +
      `FROM ${temporaryName(parent.number)} AS parent_row ` +
      `WHERE child.nesting = ${number} AND parent_row.ordinal = child.parent`,
  );
}

/** Copies the rows into the table of the entity; columns that no row gives are left to it. */
export function insertStatement({ entity, isPresent, nestings }: Staged): Statement {
  const filled = new Set([...nestings].flatMap(({ to }) => to));
  const written = entity.fields.flatMap((field, index) => {
    const { property, column, generated, writeExp } = field;
    const isWritten = isPresent[index] || filled.has(property) || generated || writeExp;
    const value = writtenSql(dialectOf('PostgreSQL'), field, `c${index}`);
    return isWritten ? [{ column, value }] : [];
  });
  const { table } = entity.write;
  const from = `FROM ${temporaryName(entity.number)}`;
  if (written.length === 0) return plain(`INSERT INTO ${table} SELECT ${from}`);
  const columns = written.map(({ column }) => column).join(', ');
  const values = written.map(({ value }) => value).join(', ');
  return plain(
    `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${values} ${from}`,
  );
}

/** The name of the temporary table; `pg_temp` so that no table of the schema is meant. */
function temporaryName(number: number): string {
  return `pg_temp.rowgate_import_${number}`;
}

function staged({ fields }: ImportEntity, property: string): string {
  return `c${fields.findIndex((field) => field.property === property)}`;
}
