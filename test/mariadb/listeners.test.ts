/** Listeners of the schema on MariaDB; see `listeners-suite`. */
import mariadb from 'mariadb';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { describeListeners } from '../workers/listeners-suite.js';

describeMariadb('listeners', () =>
  describeListeners(async () => {
    const database = await createMariadbDatabase();
    const { connection } = database;
    const client = await mariadb.createConnection(connection);
    const sql = async (text: string): Promise<void> => void (await client.query(text));
    return {
      dialect: 'MariaDB',
      connection,
      sql,
      rows: (text) => client.query({ sql: text, rowsAsArray: true }),
      async empty() {
        await sql('TRUNCATE Items');
        await sql('TRUNCATE Logs');
      },
      async stop() {
        await client.end();
        await database.drop();
      },
    };
  }),
);
