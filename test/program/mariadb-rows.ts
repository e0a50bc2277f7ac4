/** The program with many rows on MariaDB: the same as in the entity `Many` of `streams-fixture.ts`. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { createMariadbDatabase } from '../support/mariadb.js';
import { mariadbDialect } from '../support/mariadb-dialect.js';
import { runPrograms } from './running-programs.js';
import { MANY_ROWS, type StreamsFixture } from './streams-fixture.js';

const DIGITS =
  '(SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 \
UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';
const PLACES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Creates a database with the table. */
export async function startMariadbRows(): Promise<
  Pick<StreamsFixture, 'start' | 'stopPrograms' | 'stop'>
> {
  const database = await createMariadbDatabase();
  const number = PLACES.map((place, at) => `${10 ** at}*${place}.n`).join('+');
  const tables = PLACES.map((place) => `${DIGITS} ${place}`).join(' JOIN ');
  await database.withClient((client) =>
    client.query(`
      CREATE TABLE many (id int PRIMARY KEY, name varchar(80), amount decimal(16, 4));
      INSERT INTO many SELECT n, concat('name ', n), n * 1.25 FROM (SELECT 1+${number} n FROM ${tables}) numbers
        WHERE n <= ${MANY_ROWS}`),
  );
  const folder = makeTemporaryDirectory();
  const schema = join(folder, 'schema.json');
  writeFileSync(schema, JSON.stringify(documentOf(database.connection)));
  const programs = runPrograms(schema);
  return {
    ...programs,
    stop: async () => {
      await programs.stopPrograms();
      await database.drop().finally(() => rmSync(folder, { recursive: true, force: true }));
    },
  };
}

function documentOf(connection: object): object {
  const many = {
    name: 'Many',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'name' },
      { name: 'amount', type: 'decimal' },
    ],
  };
  const mapping = { name: 'default', entities: [{ name: 'Many', mapping: 'many' }] };
  const source = { name: 'default', mapping: 'default', dialect: mariadbDialect, connection };
  return {
    domain: { version: '1.0.0', entities: [many] },
    infrastructure: { mappings: [mapping], sources: [source] },
  };
}
