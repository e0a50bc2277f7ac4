/** PostgreSQL through pg's pool and named prepared statements. */
import pg from 'pg';
import type { DatabaseConnection } from '../database.js';
import { selectFrom } from '../mixes/entities.js';
import type { HandWritten, Row } from './answer-query.js';

const NUMERIC = 1700;
const BIGINT = 20;
const DATE = 1082;

/** Selects the details of a list of orders. */
export const DETAILS_SQL = `${selectFrom('Details')} WHERE OrderID = ANY($1) ORDER BY OrderID, ProductID`;

/** Opens a pool with this many connections. */
export function openPostgresql(connection: DatabaseConnection, max: number): HandWritten {
  const pool = new pg.Pool({ ...connection, max, types: jsonTypes });
  // The database may stop first; the next query then reports it.
  pool.on('error', () => undefined);
  const rows = async (name: string, text: string, values: readonly unknown[]) =>
    (await pool.query<Row>({ name, text, values: [...values] })).rows;
  return {
    rows,
    change: async (name, text, values) =>
      (await pool.query({ name, text, values: [...values] })).rowCount ?? 0,
    details: (orderIds) => rows('details', DETAILS_SQL, [orderIds]),
    end: () => pool.end(),
  };
}

const parsers = new Map<number, (text: string) => unknown>([
  [NUMERIC, Number],
  [BIGINT, Number],
  [DATE, (text) => `${text}T00:00:00.000Z`],
]);

/** Returns values as they are written in the answers. */
export const jsonTypes: pg.CustomTypesConfig = {
  getTypeParser: (type: number) => parsers.get(type) ?? pg.types.getTypeParser(type),
};
