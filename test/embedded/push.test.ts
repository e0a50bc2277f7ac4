/** `push` and `drop` on the embedded PostgreSQL. */
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleEntities } from '../../src/embedded/sample-rows.js';
import type { Schema } from '../../src/engine/schema/model.js';
import { drop, push } from '../../src/workers/tasks/ddl.js';
import { cases, northwindSchema, schemaWith } from '../engine/ddl/cases.js';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
  withClient,
} from '../support/embedded.js';
import { fillWithSample } from '../support/sample.js';

const schema = northwindSchema();

let database: ThrowawayDatabase;
let said: string[];

beforeEach(async () => {
  database = await createThrowawayDatabase();
  said = [];
});

afterEach(() => database.drop());

test('the first push creates every table, and the second has nothing to do', async () => {
  const first = await push(task(schema));
  expect(first).toBe(24);
  expect(said).toContain('default: create table Order Details');
  said = [];
  expect(await push(task(schema))).toBe(0);
  expect(said).toEqual(['default: nothing to do']);
});

test.each(cases.filter(({ existing }) => existing.length === 0))(
  'the tables of $name are valid, and a second push finds them by name',
  async ({ mapping }) => {
    await push(task(schemaWith(mapping)));
    expect(await push(task(schemaWith(mapping)))).toBe(0);
  },
);

test('a dry run reports the statements without running them', async () => {
  await push({ ...task(schema), dryRun: true });
  expect(said.join('\n')).toContain('CREATE TABLE Categories (');
  expect(await tables()).toEqual([]);
});

test('a removed column is created again, and the rows stay', async () => {
  await push(task(schema));
  await run(`INSERT INTO Shippers (CompanyName) VALUES ('Swift')`);
  await run('ALTER TABLE Shippers DROP COLUMN Phone');
  await push(task(schema));
  const { rows } = await run('SELECT CompanyName AS name, Phone AS phone FROM Shippers');
  expect(rows).toEqual([{ name: 'Swift', phone: null }]);
});

test('a push that fails halfway changes nothing, and reports where it failed', async () => {
  await run('CREATE SEQUENCE Orders');
  await expect(push(task(schema))).rejects.toThrow('default: create table Orders: ');
  expect(await tables()).toEqual([]);
});

test('two concurrent pushes create one set of tables', async () => {
  const counts = await Promise.all([push(task(schema)), push(task(schema))]);
  expect(counts.sort((first, second) => first - second)).toEqual([0, 24]);
});

test('drop removes the tables of the schema and no others', async () => {
  await run('CREATE TABLE unrelated (id integer)');
  await push(task(schema));
  await drop(task(schema));
  expect(await tables()).toEqual(['unrelated']);
  said = [];
  expect(await drop(task(schema))).toBe(0);
  expect(said).toEqual(['default: nothing to do']);
});

test('drop removes nothing if a view depends on one of the tables', async () => {
  await push(task(schema));
  await run('CREATE VIEW mine AS SELECT * FROM Customers');
  await expect(drop(task(schema))).rejects.toThrow('drop table Customers');
  expect(await tables()).toHaveLength(8);
});

test('the sample is imported, and the next generated key is larger than all imported ones', async () => {
  await fillWithSample(database.connection);
  const { rows } = await run(`
    SELECT (SELECT count(*)::int FROM "Order Details") AS details,
      (SELECT sum(UnitPrice * Quantity)::text FROM "Order Details") AS total,
      (SELECT Address FROM Employees WHERE EmployeeID = 3) AS address`);
  expect(rows).toEqual([{ details: 2_400, total: expectedTotal(), address: "3 King's Parade" }]);
  const next = await run(
    `INSERT INTO Shippers (CompanyName) VALUES ('Next') RETURNING ShipperID AS id`,
  );
  expect(next.rows).toEqual([{ id: 5 }]);
});

function task(of: Schema) {
  return {
    schema: {
      ...of,
      sources: of.sources.map((each) => ({ ...each, connection: database.connection })),
    },
    dryRun: false,
    say: (line: string) => void said.push(line),
  };
}

function run(sql: string): Promise<pg.QueryResult> {
  return withClient(database.connection, (client) => client.query(sql));
}

async function tables(): Promise<string[]> {
  const { rows } = await run(`SELECT tablename::text AS name FROM pg_tables
    WHERE schemaname = 'public' ORDER BY tablename`);
  return rows.map((row) => String(row.name));
}

/** Computed in hundredths, to avoid rounding. */
function expectedTotal(): string {
  const details = sampleEntities().find(({ entity }) => entity === 'Orders.details');
  let cents = 0;
  for (const row of details?.rows() ?? []) {
    cents += Math.round(Number(row['unitPrice']) * 100) * Number(row['quantity']);
  }
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
