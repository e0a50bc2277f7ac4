/** The session's settings that answers and writes depend on, whatever those of the server are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createMariadbDatabase,
  describeOwnMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { column, mysqlSource, onLease, runOf, sql } from './mysql-source.js';

/** `init_connect` does not apply to a user with all privileges. */
const OPTIONS = ['--skip-character-set-client-handshake', '--character-set-server=latin1'];

const inherited = {
  completion_type: "'CHAIN'",
  sql_auto_is_null: '1',
  sql_select_limit: '100',
  max_error_count: '1',
  net_write_timeout: '2',
  wait_timeout: '100',
  idle_transaction_timeout: '200',
  idle_readonly_transaction_timeout: '200',
};

const kept = {
  character_set_client: 'utf8mb4',
  character_set_results: 'utf8mb4',
  collation_connection: 'utf8mb4_bin',
  completion_type: 'NO_CHAIN',
  sql_auto_is_null: 'OFF',
  sql_select_limit: '18446744073709551615',
  max_error_count: '65535',
  net_write_timeout: '3600',
  wait_timeout: '3600',
  idle_transaction_timeout: '0',
  idle_readonly_transaction_timeout: '0',
};

describeOwnMariadb('the settings of a session', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  let database: MariadbDatabase;

  beforeAll(async () => {
    server = await start(OPTIONS);
    database = await createMariadbDatabase(server.server);
    const settings = Object.entries(inherited).map(([name, value]) => `GLOBAL ${name} = ${value}`);
    await database.withClient((client) =>
      client.query(`SET ${settings.join(', ')};
        CREATE TABLE t (id int AUTO_INCREMENT PRIMARY KEY, name varchar(20) CHARACTER SET utf8mb4)`),
    );
  });
  afterAll(() => server.stop());

  const withSource = async (work: (source: ReturnType<typeof mysqlSource>) => Promise<void>) => {
    const source = mysqlSource(database.connection);
    try {
      await work(source);
    } finally {
      await source.close();
    }
  };

  test('are those of Rowgate', () =>
    withSource((source) =>
      onLease(source, async (lease) => {
        const run = runOf(Object.keys(kept).map((name) => sql(`SELECT CONCAT(@@${name})`)));
        await lease.run(run.steps);
        expect(run.rows).toEqual(Object.values(kept).map((value) => [[value]]));
      }),
    ));

  test('store and compare every character', () =>
    withSource((source) =>
      onLease(source, async (lease) => {
        const insert = sql('INSERT INTO t (name) VALUES (?)', 'é€😀');
        const read = sql('SELECT CONCAT(HEX(name), ?, ? = ?) FROM t', '€', 'a', 'A');
        await lease.fetch(insert);
        const rows = await lease.fetch(read);
        expect(column(rows)).toEqual(['C3A9E282ACF09F9880€0']);
      }),
    ));

  test('do not begin a transaction after the health check', () =>
    withSource(async (source) => {
      expect(await source.ping(2000)).toBe('ready');
      await onLease(source, (lease) => lease.fetch(sql("INSERT INTO t VALUES (77, 'kept')")));
      const found = await database.withClient((client) =>
        client.query('SELECT name FROM t WHERE id = 77'),
      );
      expect(found).toEqual([{ name: 'kept' }]);
    }));
});
