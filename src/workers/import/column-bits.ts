/** The sizes of integer columns as the database has them, so that a number too large has its place. */
import type pg from 'pg';
import { type IntegerBits, type MappingEntity, postgresqlDdl } from '../../engine/index.js';
import { postgresqlError } from '../database/postgresql/errors.js';

/** The bits of an integer property; undefined where its column is of another type, or missing. */
export type ColumnBits = (entity: string, property: string) => IntegerBits | undefined;

const INTEGER_COLUMNS = `
SELECT t.name AS table, a.attname::text AS column, a.atttypid::regtype::text AS type
FROM unnest($1::text[]) AS t (name)
JOIN pg_attribute a ON a.attrelid = to_regclass(t.name) AND a.attnum > 0 AND NOT a.attisdropped
WHERE a.atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype)`;

const sizes: Readonly<Record<string, IntegerBits>> = { smallint: 16, integer: 32, bigint: 64 };

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** Asks once for all entities of a source. */
export async function readColumnBits(
  client: pg.ClientBase,
  entities: readonly MappingEntity[],
): Promise<ColumnBits> {
  const { quoteName, storedName } = postgresqlDdl;
  const tables = [...new Set(entities.map(({ mapping }) => quoteName(mapping)))];
  const { rows } = await client
    .query<ColumnRow>(INTEGER_COLUMNS, [tables])
    .catch((error: unknown) => Promise.reject(postgresqlError(error)));
  const bits = new Map(rows.map(({ table, column, type }) => [`${table}\n${column}`, sizes[type]]));
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  return (name, property) => {
    const entity = byName.get(name);
    const column = entity?.properties.find((one) => one.name === property);
    if (!entity || !column) return undefined;
    return bits.get(`${quoteName(entity.mapping)}\n${storedName(column.mapping)}`);
  };
}
