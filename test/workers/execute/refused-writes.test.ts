import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/program.js';
import { type TestGateway, useWorker } from '../test-worker.js';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';
import { batchSchema } from './batch-schema.js';

/** How many slow writes are sent at once, and how long each takes: together, less than a write may wait. */
const MANY = 110;
const EACH_S = 0.03;
const WAIT_MS = 4000;

let fixture: BatchFixture;
beforeAll(async () => {
  fixture = await startBatchFixture(`
    CREATE TABLE parts (id int PRIMARY KEY, item_id int, name text, quantity int);
    CREATE FUNCTION doze() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(${EACH_S}); RETURN NEW; END';
    CREATE TRIGGER doze BEFORE INSERT ON parts FOR EACH ROW EXECUTE FUNCTION doze()`);
});
afterAll(() => fixture.stop());

test('writes that are refused because of many others do not count as run', () => {
  const changes = { batching: 'off', connectionsPerSource: 1, connectionWaitMs: WAIT_MS } as const;
  return useWorker(batchSchema(fixture.connection, 'PostgreSQL'), changes, async (gateway) => {
    let counted = 0;
    gateway.onUnasked = (reply) => {
      if (reply.type !== 'tallies') return;
      for (const { requests } of reply.tallies) counted += requests;
    };
    const query = 'Parts.insert()';
    await gateway.compile(query);
    const outcomes: Promise<string>[] = [];
    const insert = (): Promise<string> => {
      const data = { id: outcomes.length, itemId: 1, name: 'part', quantity: 1 };
      const outcome = gateway.start(query, { data }).received.then(() => 'stored', String);
      outcomes.push(outcome);
      return outcome;
    };
    for (let n = 0; n < MANY; n += 1) void insert();
    await until('one is refused', async () => {
      const soon = new Promise<string>((resolve) => setTimeout(resolve, 20, ''));
      return (await Promise.race([insert(), soon])).includes('queue-full');
    });
    const all = await Promise.all(outcomes);
    await sendCounts(gateway);
    expect(counted).toBe(all.filter((outcome) => !outcome.includes('queue-full')).length);
  });
});

/** Resolves when the counts so far have arrived. */
function sendCounts(gateway: TestGateway): Promise<unknown> {
  const id = 1_000_000;
  return new Promise((resolve) => {
    gateway.onReply(id, resolve);
    gateway.post({ type: 'count', id });
  });
}
