/** Runs a query beside a transaction that has changed rows and is not yet committed. */
import mariadb from 'mariadb';
import { withClient } from '../support/embedded.js';
import { until } from '../support/program.js';
import type { WriteDatabase } from './write-database.js';
import type { WriteStage } from './write-stage.js';

/** Runs a query while a transaction has executed `change`, commits that when the query waits, and returns the answer. */
export async function runBeside(stage: WriteStage, query: string, change: string): Promise<string> {
  const { database, gateway } = stage;
  await database.sql(`BEGIN; ${change}`);
  const running = gateway.execute(query);
  await until('the query waits', () => waits(database));
  await database.sql('COMMIT');
  return (await running).text;
}

/** Whether a connection to the database waits for a lock of another one. */
export async function waits(database: WriteDatabase): Promise<boolean> {
  if (database.postgresql) return (await beside(database, WAITING)).length > 0;
  const own = await beside(database, OWN_CONNECTIONS);
  // Not from INNODB_TRX, which is only updated if it was not read for 100 ms.
  const [status] = await beside(database, 'SHOW ENGINE INNODB STATUS');
  const waiting = String(status?.['Status'])
    .split('---TRANSACTION')
    .filter((each) => each.includes('LOCK WAIT'));
  return own.some(({ id }) => waiting.some((each) => each.includes(` thread id ${String(id)},`)));
}

const WAITING = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const OWN_CONNECTIONS = 'SELECT id FROM information_schema.PROCESSLIST WHERE db = DATABASE()';

type Row = Readonly<Record<string, unknown>>;

/** Runs a statement on a connection of its own. */
export async function beside(database: WriteDatabase, text: string): Promise<readonly Row[]> {
  const { postgresql } = database;
  if (postgresql) {
    return withClient(postgresql.connection, async (client) => (await client.query(text)).rows);
  }
  const client = await mariadb.createConnection({ ...database.mariadb });
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
