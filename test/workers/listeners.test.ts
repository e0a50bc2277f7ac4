/** Listeners of the schema on PostgreSQL; see `listeners-suite`. */
import pg from 'pg';
import { createThrowawayDatabase } from '../support/embedded.js';
import { describeListeners } from './listeners-suite.js';

describeListeners(async () => {
  const { connection, drop } = await createThrowawayDatabase();
  const client = new pg.Client(connection);
  await client.connect();
  const sql = async (text: string): Promise<void> => void (await client.query(text));
  return {
    dialect: 'PostgreSQL',
    connection,
    sql,
    rows: async (text) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows,
    empty: () => sql('TRUNCATE Items, Logs RESTART IDENTITY'),
    async stop() {
      await client.end();
      await drop();
    },
  };
});
