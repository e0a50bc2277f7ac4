/** Writes on PostgreSQL whose connection is lost during the commit. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/program.js';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.js';
import { sendKeyed } from './idempotency-suite.js';
import { startWorker, type TestGateway, type TestWorker } from './test-worker.js';
import { type WatchedDatabase, watchDatabase } from './watch-database.js';
import { writeDocument } from './write-schema.js';
import { startWriteStage, type WriteStage } from './write-stage.js';

let stage: WriteStage;
let watched: WatchedDatabase;
let proxy: CuttingProxy;
let worker: TestWorker;
let gateway: TestGateway;

/** Makes a commit that stores a group wait for the advisory lock 7. */
const slowCommit = `
  CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON groups
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`;

beforeAll(async () => {
  stage = await startWriteStage();
  watched = watchDatabase(stage.client);
  await stage.client.query(slowCommit);
  proxy = await startCuttingProxy(stage.connection);
  worker = startWorker(writeDocument(proxy.connection));
  ({ gateway } = worker);
});
beforeEach(() => stage.seed());
afterAll(async () => {
  await worker.close();
  await proxy.close();
  await stage.stop();
});

const single = 'Groups.insert()';
const nested = 'Groups.insert().include(p=>p.items)';
const data = { name: 'new', items: [{ name: 'a' }] };

/** The outcome of a request that is committed, but whose answer is cut off. */
async function lostAtCommit(send: () => Promise<unknown>, lastWords?: string): Promise<unknown> {
  const { client } = stage;
  await client.query('SELECT pg_advisory_lock(7)');
  const sent = send().then(
    () => 'an answer',
    (error: unknown) => Reflect.get(Object(error), 'problem'),
  );
  await watched.waitForLock();
  proxy.holdAnswers();
  await client.query('SELECT pg_advisory_unlock(7)');
  await until('it is stored', async () => (await watched.count('groups')) === 3);
  proxy.cut(lastWords);
  return sent;
}

describe('a write whose connection is lost at its commit', () => {
  test.each([single, nested])('%s has an unknown outcome', async (query) => {
    await gateway.compile(query);
    const problem = await lostAtCommit(() => gateway.execute(query, { data }));
    expect(problem).toMatchObject({ code: 'outcome-unknown' });
  });

  test.each([single, nested])('%s has one, too, if PgBouncer says so', async (query) => {
    await gateway.compile(query);
    const send = () => gateway.execute(query, { data });
    const problem = await lostAtCommit(send, 'server conn crashed?');
    expect(problem).toMatchObject({ code: 'outcome-unknown' });
  });

  test('has an unknown outcome as a step of a transaction', async () => {
    await gateway.compile(single);
    const problem = await lostAtCommit(() => gateway.transact([[single, data]]));
    expect(problem).toMatchObject({ code: 'outcome-unknown' });
  });

  test('can be repeated with its idempotency key, and is stored once', async () => {
    await gateway.compile(single);
    const send = () => sendKeyed(gateway, 'k', 'f', [[single, { name: 'keyed' }]]);
    expect(await lostAtCommit(send)).toMatchObject({ code: 'source-unavailable' });
    expect(JSON.parse(await send())).toMatchObject({ name: 'keyed' });
    expect(await watched.count('groups')).toBe(3);
  });
});

test('a write whose connection is lost before its commit is not stored', async () => {
  await gateway.compile(nested);
  await stage.client.query('BEGIN; LOCK TABLE groups');
  const sent = gateway.execute(nested, { data });
  sent.catch(() => undefined);
  await watched.waitForLock();
  proxy.cut();
  await expect(sent).rejects.toMatchObject({ problem: { code: 'source-unavailable' } });
  await stage.client.query('ROLLBACK');
  expect(await watched.count('groups')).toBe(2);
});
