/** Random databases are served without a schema file, drafted, pushed and copied. */
import { expect, test } from 'vitest';
import type { DialectName } from '../../src/engine/schema/model.js';
import { createThrowawayDatabase, withClient } from '../support/embedded.js';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { mariadbDialect } from '../support/mariadb-dialect.js';
import { connectionUrl } from '../support/sample.js';
import { createRandom } from '../random/random.js';
import { checkDatabase, type TestedDatabase } from './check.js';
import { randomTables } from './tables.js';

/** How many databases of each dialect, and the seed that chooses them. */
const DATABASES = Number(process.env['ROWGATE_TEST_DATABASES'] ?? '1');
const SEED = process.env['ROWGATE_TEST_SEED'] ?? 'rowgate';
const LIMIT_MS = 180_000 + DATABASES * 120_000;

test('random databases on PostgreSQL', () => suite('PostgreSQL', openPostgresql), LIMIT_MS);

describeMariadb('random databases', () => {
  test('on MariaDB', () => suite(mariadbDialect, openMariadb), LIMIT_MS);
});

type Opened = TestedDatabase & { drop(): Promise<unknown> };

async function suite(dialect: DialectName, openOne: () => Promise<Opened>): Promise<void> {
  const failed: string[] = [];
  for (let number = 0; number < DATABASES; number += 1) {
    const seed = `${SEED}-${number}`;
    const random = createRandom(seed);
    const tables = randomTables(random, dialect);
    const opened: Opened[] = [];
    const open = async () => {
      const database = await openOne();
      opened.push(database);
      return database;
    };
    try {
      const faults = await checkDatabase(random, tables, open);
      const sql = [...tables.definitions, ...tables.rows].join(';\n');
      if (faults.length > 0) failed.push(`Seed ${seed}:\n${sql};\n${faults.join('\n')}`);
    } finally {
      for (const each of opened) await each.drop();
    }
  }
  expect(failed.join('\n\n')).toBe('');
}

async function openPostgresql(): Promise<Opened> {
  const database = await createThrowawayDatabase();
  const query = (text: string) =>
    withClient(database.connection, async (client) => {
      const { rows } = await client.query<string[]>({ text, rowMode: 'array' });
      return rows;
    });
  return {
    url: connectionUrl(database.connection),
    schemas: 'public,Sales',
    run: async (sql) => void (await query(sql)),
    contentOf: async ({ sql, columns }) => {
      const rows = await query(`SELECT ROW(${columns.join(', ')})::text FROM ${sql}`);
      return rows.flat().sort().join('\n');
    },
    drop: () => database.drop(),
  };
}

async function openMariadb(): Promise<Opened> {
  const database = await createMariadbDatabase();
  const { user, password, database: name, host, port } = database.connection;
  return {
    url: `mysql://${user}:${encodeURIComponent(password)}@${host}:${port}/${name}`,
    schemas: '',
    run: async (sql) => void (await database.withClient((client) => client.query(sql))),
    contentOf: ({ sql, columns }) =>
      database.withClient(async (client) => {
        const list = columns.map((column) => `COALESCE(HEX(${column}), '-')`).join(', ');
        const query = `SELECT CONCAT_WS(',', ${list}) FROM ${sql}`;
        const rows = await client.query<string[][]>({ sql: query, rowsAsArray: true });
        return rows.flat().sort().join('\n');
      }),
    drop: () => database.drop(),
  };
}
