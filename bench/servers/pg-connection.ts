/** How the hand-written servers reach the database, and read its values as Rowgate answers them. */
import pg from 'pg';

const NUMERIC = 1700;
const TIMESTAMP = 1114;
const DATE = 1082;

/** The connection that the bench hands over as JSON. */
export function connectionOf(text: string): pg.PoolConfig {
  const connection: unknown = JSON.parse(text);
  return typeof connection === 'object' && connection !== null ? connection : {};
}

export function readTypesAsJson(): void {
  pg.types.setTypeParser(NUMERIC, Number);
  pg.types.setTypeParser(TIMESTAMP, (text) => new Date(`${text.replace(' ', 'T')}Z`).toISOString());
  pg.types.setTypeParser(DATE, (text) => `${text}T00:00:00.000Z`);
}
