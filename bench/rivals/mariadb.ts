/** MariaDB through its connector's pool and prepared statements. */
import mariadb from 'mariadb';
import type { DatabaseConnection } from '../database.js';
import { selectFrom } from '../mixes/entities.js';
import type { HandWritten, Row } from './answer-query.js';

/** More than there are statements. */
const STATEMENTS_KEPT = 256;

/** Opens a pool with this many connections. The time zone of the process must be UTC. */
export function openMariadbPool(connection: DatabaseConnection, max: number): HandWritten {
  const pool = mariadb.createPool({
    ...connection,
    connectionLimit: max,
    prepareCacheLength: STATEMENTS_KEPT,
    decimalAsNumber: true,
    bigIntAsNumber: true,
    // The statements are those for PostgreSQL, except for the placeholders.
    sessionVariables: { sql_mode: 'ANSI_QUOTES,STRICT_TRANS_TABLES' },
  });
  const translated = new Map<string, Translated>();
  const translate = (sql: string) => {
    const known = translated.get(sql) ?? translateStatement(sql);
    translated.set(sql, known);
    return known;
  };
  const execute = <Result>(sql: string, values: readonly unknown[]) => {
    const { text, places } = translate(sql);
    return pool.execute<Result>(
      text,
      places.map((place) => values[place]),
    );
  };
  const rows = async (sql: string, values: readonly unknown[]) =>
    withBooleans(await execute<Row[]>(sql, values));
  return {
    rows: (_name, sql, values) => rows(sql, values),
    change: async (_name, sql, values) =>
      (await execute<{ readonly affectedRows: number }>(sql, values)).affectedRows,
    details: (orderIds) => rows(detailsOf(orderIds.length), orderIds),
    end: () => pool.end(),
  };
}

/** A statement with `?` placeholders, and the index of the value for each of them. */
interface Translated {
  readonly text: string;
  readonly places: readonly number[];
}

function translateStatement(sql: string): Translated {
  const places = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number) - 1);
  return { text: sql.replaceAll(/\$\d+/g, '?'), places };
}

/** The connector does not accept a list for a placeholder of a prepared statement. */
function detailsOf(count: number): string {
  const places = Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');
  return `${selectFrom('Details')} WHERE OrderID IN (${places}) ORDER BY OrderID, ProductID`;
}

/** A boolean is the number 1 or 0. */
function withBooleans(rows: Row[]): Row[] {
  for (const row of rows) {
    if ('discontinued' in row) row['discontinued'] = row['discontinued'] === 1;
  }
  return rows;
}
