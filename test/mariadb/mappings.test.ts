/** Filters, expressions and shared tables of mappings, on MariaDB; see `mapping-suites`. */
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { describeMappings } from '../views/mapping-suites.js';

describeMariadb('mappings', () => {
  describeMappings(async () => {
    const database = await createMariadbDatabase();
    return {
      dialect: 'MariaDB',
      connection: database.connection,
      madeKey: 'AUTO_INCREMENT',
      sql: (text) =>
        database.withClient(async (client) => {
          const rows: unknown = await client.query(text);
          return Array.isArray(rows) ? [...rows] : [];
        }),
      stop: () => database.drop(),
    };
  });
});
