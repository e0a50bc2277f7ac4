/** Listeners of the schema on PostgreSQL; see `listeners-suite`. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { createThrowawayDatabase, withClient } from '../support/embedded.js';
import { endCollisions, letCollide } from './colliding-table.js';
import { describeListeners } from './listeners-suite.js';
import { startWorker } from './test-worker.js';

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

test('a read that fails after its listener has written is not answered as one that can be sent again', async () => {
  const { connection, drop } = await createThrowawayDatabase();
  await withClient(connection, async (client) => {
    await client.query(`
      CREATE TABLE Logs (id serial PRIMARY KEY, what text);
      CREATE FUNCTION conflict() RETURNS text LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = 'serialization_failure'; END $$;
      CREATE VIEW Items AS SELECT 1 AS id, conflict() AS what`);
  });
  const worker = startWorker(readingDocument(connection));
  await expect(worker.gateway.rows('Items')).rejects.toMatchObject({
    problem: {
      code: 'stored-in-part',
      detail: expect.stringMatching(/^Stored: what the listeners of the query write\. Not read: /),
    },
  });
  expect(await worker.gateway.rows('Logs.map(p=>p.what)')).toEqual([{ what: 'read' }]);
  await worker.close();
  await drop();
});

test('the listeners of a read run again after a conflict', async () => {
  const { connection, drop } = await createThrowawayDatabase();
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`CREATE TABLE Logs (id serial PRIMARY KEY, what text);
    CREATE TABLE Items (id serial PRIMARY KEY, what text)`);
  const worker = startWorker(readingDocument(connection));
  await letCollide(client, 'Logs', 2);
  expect(await worker.gateway.rows('Items')).toEqual([]);
  expect(await endCollisions(client, 'Logs')).toBe(3);
  expect(await worker.gateway.rows('Logs.map(p=>p.what)')).toEqual([{ what: 'read' }]);
  await worker.close();
  await client.end();
  await drop();
});

/** Two entities; a listener writes into the second one before the first is read. */
function readingDocument(connection: object): unknown {
  const domain = {
    version: '1.0.0',
    entities: ['Items', 'Logs'].map((name) => ({
      name,
      primaryKey: ['id'],
      properties: [
        { name: 'id', type: 'integer', autoIncrement: true },
        { name: 'what', type: 'string' },
      ],
    })),
  };
  const infrastructure = {
    mappings: [{ name: 'default' }],
    sources: [{ name: 'default', dialect: 'PostgreSQL', mapping: 'default', connection }],
    stages: [{ name: 'default', sources: [{ name: 'default' }] }],
  };
  const before = 'Logs.insert({what: "read"})';
  const listener = { name: 'reads', on: ['select'], condition: 'entity == "Items"', before };
  return { domain, infrastructure, application: { listeners: [listener] } };
}
