/** Gets the right answers directly from the database. */
import type { BenchDatabase } from '../database.js';
import type { Reference } from '../mixes/check-query.js';
import { answerQuery } from './answer-query.js';
import { openMariadbPool } from './mariadb.js';
import { openPostgresql } from './postgresql.js';

const CONNECTIONS = 2;
const open = { PostgreSQL: openPostgresql, MariaDB: openMariadbPool };

/**
 * Runs `work` with a function that returns the expected answers, whose values have been through
 * JSON.
 */
export async function withReference<Result>(
  { dialect, connection }: BenchDatabase,
  work: (reference: Reference) => Promise<Result>,
): Promise<Result> {
  const database = open[dialect](connection, CONNECTIONS);
  try {
    return await work(async ({ query, data }) =>
      JSON.parse(JSON.stringify(await answerQuery(database, query, data))),
    );
  } finally {
    await database.end();
  }
}
