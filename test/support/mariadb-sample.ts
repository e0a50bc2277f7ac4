/** The sample domain on MariaDB: its tables as `push` creates them, and its rows. */
import type { Connection } from 'mariadb';
import { type SampleRow, sampleEntities } from '../../src/embedded/sample-rows.js';
import { invariant, loadSchema, planPush } from '../../src/engine/index.js';
import { dialectOf } from '../../src/engine/dialects/dialects.js';
import { northwindDocument } from '../engine/schema/northwind.js';
import type { MariadbDatabase } from './mariadb.js';
import { mariadbDialect } from './mariadb-dialect.js';

/** Without it, a table has the collation of its database. */
const CHARSET = ' DEFAULT CHARSET=utf8mb4';

/** The schema file of the sample as plain data, with its source on that database. */
export function mariadbSampleDocument({ connection }: MariadbDatabase): unknown {
  const document = northwindDocument({ DATABASE_URL: '' });
  const text = JSON.stringify(document, (_, value: unknown) =>
    isSource(value) ? { ...value, dialect: mariadbDialect, connection } : value,
  );
  return JSON.parse(text);
}

/** Creates the tables of the sample, and loads its rows. */
export async function fillMariadbWithSample(database: MariadbDatabase): Promise<void> {
  const schema = loadSchema(mariadbSampleDocument(database));
  const [mapping] = schema.mappings;
  invariant(mapping, 'the sample has a mapping');
  const { steps } = planPush({ mapping, enums: [], dialect: mariadbDialect, existing: [] });
  await database.withClient(async (client) => {
    for (const { sql } of steps) await client.query(sql.replace(CHARSET, ''));
    for (const { entity, rows } of sampleEntities()) {
      const mapped = mapping.entities.find(({ name }) => name === entity);
      invariant(mapped, `the mapping has the entity ${entity}`);
      const { quoteName } = dialectOf('MariaDB');
      const columns = mapped.properties.map((property) => quoteName(property.mapping));
      const names = mapped.properties.map(({ name }) => name);
      const holes = names.map(() => '?').join(', ');
      const into = `INSERT INTO ${quoteName(mapped.mapping)} (${columns.join(', ')})`;
      await loadRows(client, `${into} VALUES (${holes})`, names, [...rows()]);
    }
  });
}

async function loadRows(
  client: Connection,
  insert: string,
  names: readonly string[],
  rows: readonly SampleRow[],
): Promise<void> {
  const values = rows.map((row) => names.map((name) => valueOf(row[name] ?? null)));
  if (values.length > 0) await client.batch(insert, values);
}

/** Converts times to the format of DATETIME. */
function valueOf(value: SampleRow[string]): SampleRow[string] {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return value;
  return value.replace('T', ' ').replace('Z', '');
}

function isSource(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && 'dialect' in value;
}
