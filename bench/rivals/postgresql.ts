/** PostgreSQL by pg's pool and named prepared statements. */
import pg from 'pg';
import type { DatabaseConnection } from '../database.js';
import { selectFrom } from '../mixes/entities.js';
import type { HandWritten, Row } from './answer-query.js';

const NUMERIC = 1700;
const BIGINT = 20;
const DATE = 1082;

/** The details of all orders of a list. */
export const DETAILS_SQL = `${selectFrom('Details')} WHERE OrderID = ANY($1) ORDER BY OrderID, ProductID`;

/** Opens a pool of so many connections. */
export function openPostgresql(connection: DatabaseConnection, max: number): HandWritten {
  const pool = new pg.Pool({ ...connection, max, types: jsonTypes });
  // The database may stop before it: whoever asks it then is told.
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

/** Reads values as they are written in the answers. */
export const jsonTypes: pg.CustomTypesConfig = {
  getTypeParser: (type: number) => parsers.get(type) ?? pg.types.getTypeParser(type),
};
