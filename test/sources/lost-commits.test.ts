/** Writes to two sources, one of which loses its connection during the commit. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import type { Lease } from '../../src/workers/database/lease.js';
import { SourceError } from '../../src/workers/database/source-error.js';
import { commitAll } from '../../src/workers/execute/write-across.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/embedded.js';
import { until } from '../support/program.js';
import { connectionUrl } from '../support/sample.js';
import { endCollisions, letCollide } from '../workers/colliding-table.js';
import { type CuttingProxy, startCuttingProxy } from '../workers/cutting-proxy.js';
import { startWorker, type TestWorker } from '../workers/test-worker.js';
import { watchDatabase } from '../workers/watch-database.js';
import { twoSourcesDocument } from './two-sources.js';

interface Database {
  readonly client: pg.Client;
  readonly proxy: CuttingProxy;
  stop(): Promise<void>;
}

let copy: ThrowawayDatabase;
let catalog: Database;
let crm: Database;
let worker: TestWorker;

beforeAll(async () => {
  copy = await createThrowawayDatabase();
  catalog = await startDatabase();
  crm = await startDatabase();
  const document = twoSourcesDocument({
    catalog: catalog.proxy.connection,
    catalogDialect: 'PostgreSQL',
    crm: crm.proxy.connection,
    copy: connectionUrl(copy.connection),
  });
  const schema = loadSchema(document);
  await push({ schema, dryRun: false, say: () => undefined });
  // The order and the supplier need not exist.
  await crm.client.query('ALTER TABLE "Order Details" DISABLE TRIGGER ALL');
  await catalog.client.query('ALTER TABLE Products DISABLE TRIGGER ALL');
  await crm.client.query(slowCommit('"Order Details"'));
  await catalog.client.query(slowCommit('Categories'));
  worker = startWorker(document);
});
beforeEach(() => catalog.client.query('TRUNCATE Categories, Products'));
afterAll(async () => {
  await worker.close();
  for (const database of [catalog, crm]) await database.stop();
  await copy.drop();
});

async function startDatabase(): Promise<Database> {
  const { connection, drop } = await createThrowawayDatabase();
  const client = new pg.Client(connection);
  await client.connect();
  const proxy = await startCuttingProxy(connection);
  const stop = async (): Promise<void> => {
    await proxy.close();
    await client.end();
    await drop();
  };
  return { client, proxy, stop };
}

/** Makes a commit that stores a row of the table wait for the advisory lock 7. */
function slowCommit(table: string): string {
  return `CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON ${table}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`;
}

const insert = 'Categories.insert().include(p=>p.products.include(q=>q.orderDetails))';
const detail = { orderId: 7, quantity: 5, unitPrice: 2, discount: 0 };
const data = { name: 'New', products: [{ name: 'P', supplierId: 1, orderDetails: [detail] }] };

/** The answer to a write whose commit on this database is executed, but whose confirmation is lost. */
async function lostAtCommit({ client, proxy }: Database, table: string): Promise<unknown> {
  const { count, waitForLock } = watchDatabase(client);
  const before = await count(table);
  await client.query('SELECT pg_advisory_lock(7)');
  const sent = worker.gateway.rows(insert, data).then(
    () => 'an answer',
    (error: unknown) => error,
  );
  await waitForLock();
  proxy.holdAnswers();
  await client.query('SELECT pg_advisory_unlock(7)');
  await until('it is stored', async () => (await count(table)) > before);
  proxy.cut();
  return sent;
}

test('a lost later commit is distinguished from what is stored', async () => {
  expect(await lostAtCommit(crm, '"Order Details"')).toMatchObject({
    problem: {
      code: 'stored-in-part',
      detail:
        "Stored: source 'Catalog' (Categories, Products). Not known to be stored: source 'Crm' (Orders.details).",
    },
  });
});

test('a commit that fails after others, as in an import, says what is stored', async () => {
  const lost = new SourceError('source-unavailable');
  const fails = (part: string) => async () => {
    if (part === 'Crm') throw lost;
  };
  const parts = ['Catalog', 'Crm', 'Other'].map((source) => ({
    source,
    lease: { commit: fails(source) } as unknown as Lease,
    entities: new Set([`${source}Rows`]),
  }));
  const commit = (lease: Lease) => lease.commit();
  await expect(commitAll(parts, commit)).rejects.toMatchObject({
    code: 'stored-in-part',
    message:
      "Stored: source 'Catalog' (CatalogRows). Not stored: source 'Crm' (CrmRows); source 'Other' (OtherRows).",
  });
  await expect(commitAll(parts.slice(1), commit)).rejects.toBe(lost);
});

test('nothing else is stored after a lost first commit', async () => {
  const details = await watchDatabase(crm.client).count('"Order Details"');
  expect(await lostAtCommit(catalog, 'Categories')).toMatchObject({
    problem: {
      code: 'outcome-unknown',
      detail:
        "Not known to be stored: source 'Catalog' (Categories, Products). Not stored: source 'Crm' (Orders.details).",
    },
  });
  expect(await watchDatabase(crm.client).count('"Order Details"')).toBe(details);
});

test('a conflict in one of them is tried again in both', async () => {
  const { count } = watchDatabase(crm.client);
  const details = await count('"Order Details"');
  await letCollide(crm.client, '"Order Details"', 2);
  expect(await worker.gateway.rows(insert, data)).toMatchObject({ name: 'New' });
  expect(await endCollisions(crm.client, '"Order Details"')).toBe(3);
  expect(await watchDatabase(catalog.client).count('Categories')).toBe(1);
  expect(await count('"Order Details"')).toBe(details + 1);
});
