/** Writes with an idempotency key: each is done once, however often it is sent. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkerContext } from '../../src/workers/protocol.js';
import { startWorker, type TestGateway, type TestStep } from './test-worker.js';
import { type WatchedDatabase, watchDatabase } from './watch-database.js';
import { writeDocument } from './write-schema.js';
import { startWriteStage, type WriteStage } from './write-stage.js';

let stage: WriteStage;
let database: WatchedDatabase;

beforeAll(async () => {
  stage = await startWriteStage();
  database = watchDatabase(stage.client);
});
beforeEach(async () => {
  await stage.seed();
  await stage.client.query('DROP TABLE IF EXISTS rowgate_idempotency');
});
afterAll(() => stage.stop());

const insert: readonly TestStep[] = [['Groups.insert()', { name: 'new' }]];

function send(
  key: string,
  fingerprint = 'f',
  steps: readonly TestStep[] = insert,
  gateway: TestGateway = stage.gateway,
): Promise<string> {
  const requestKey = { key, fingerprint };
  return gateway.transact(steps, { requestKey, isSingle: true }).then(({ text }) => text);
}

/** Another worker on the same database. */
async function withWorker(
  changes: Partial<WorkerContext>,
  work: (gateway: TestGateway) => Promise<void>,
  connection: unknown = stage.connection,
): Promise<void> {
  const worker = startWorker(writeDocument(connection), changes);
  try {
    await work(worker.gateway);
  } finally {
    await worker.close();
  }
}

describe('a request that is sent again under its key', () => {
  test('gets the bytes of the first answer, and writes nothing', async () => {
    const first = await send('k');
    expect(JSON.parse(first)).toEqual({ id: 3, name: 'new', note: null });
    await stage.client.query(`UPDATE groups SET name = 'changed' WHERE id = 3`);
    expect(await send('k')).toBe(first);
    expect(await send('k')).toBe(first);
    expect(await database.count('groups')).toBe(3);
    expect(await database.count('rowgate_idempotency')).toBe(1);
  });

  test('gets it from another worker, at any isolation', async () => {
    const first = await send('k');
    await withWorker({}, async (gateway) => {
      for (const isolation of ['readCommitted', 'repeatableRead', 'serializable'] as const) {
        const requestKey = { key: 'k', fingerprint: 'f' };
        const options = { requestKey, isSingle: true, isolation };
        expect((await gateway.transact(insert, options)).text).toBe(first);
      }
    });
    expect(await database.count('groups')).toBe(3);
  });

  test('gets the list of a transaction, however long', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => ({ name: `ünïcode ${index}` }));
    const steps: readonly TestStep[] = [['Nodes.bulkInsert()', rows], ...insert];
    const requestKey = { key: 'k', fingerprint: 'f' };
    const first = await stage.gateway.transact(steps, { requestKey });
    expect(first.parts).toBeGreaterThan(1);
    const again = await stage.gateway.transact(steps, { requestKey });
    expect(again.text).toBe(first.text);
    expect(await database.count('nodes')).toBe(3002);
  });

  test('is refused when it is another request, and writes nothing', async () => {
    await send('k');
    const problem = { code: 'idempotency-key-reused' };
    await expect(send('k', 'other')).rejects.toMatchObject({ problem });
    await expect(send('k', 'other', [['Notes.deleteAll()']])).rejects.toMatchObject({ problem });
    expect(await database.count('groups')).toBe(3);
    expect(await database.count('notes')).toBe(2);
  });
});

describe('a request that has failed', () => {
  test('leaves its key to any other', async () => {
    const taken: readonly TestStep[] = [['Groups.insert()', { name: 'tools' }]];
    const problem = { code: 'unique-violation', place: 'data.name' };
    await expect(send('k', 'f', taken)).rejects.toMatchObject({ problem });
    expect(await database.count('rowgate_idempotency')).toBe(0);
    expect(JSON.parse(await send('k', 'other'))).toMatchObject({ name: 'new' });
  });

  test('lets its twin write that waits for it', async () => {
    const steps: readonly TestStep[] = [...insert, ['Notes.deleteAll()']];
    for (const [query] of steps) await stage.gateway.compile(query);
    await stage.client.query('BEGIN; LOCK TABLE notes');
    const requestKey = { key: 'k', fingerprint: 'f' };
    await stage.client.query('SELECT 1');
    const first = stage.gateway.startTransaction(steps, { requestKey });
    await database.waitForLock();
    const twin = stage.gateway.startTransaction(steps, { requestKey });
    await database.waitForLock(2);
    stage.gateway.cancel(first.id);
    await expect(first.received).rejects.toMatchObject({ problem: { code: 'cancelled' } });
    await stage.client.query('COMMIT');
    expect(JSON.parse((await twin.received).text)).toMatchObject([{ name: 'new' }, 2]);
    expect(await database.count('groups')).toBe(3);
  });
});

describe('twins at the same time', () => {
  test('write once, and get the same answer, the table being made by one of them', async () => {
    await withWorker({}, async (gateway) => {
      const sent = Array.from({ length: 24 }, (_, index) =>
        send('k', 'f', insert, index % 2 === 0 ? stage.gateway : gateway),
      );
      const answers = await Promise.all(sent);
      expect(new Set(answers).size).toBe(1);
    });
    expect(await database.count('groups')).toBe(3);
    expect(await database.openTransactions()).toBe(0);
  });

  test('write once each for many keys', async () => {
    const sent = Array.from({ length: 120 }, (_, index) => {
      const name = `g${index % 40}`;
      return send(`k${index % 40}`, name, [['Groups.insert()', { name }]]);
    });
    const answers = await Promise.all(sent);
    expect(new Set(answers).size).toBe(40);
    expect(await database.count('groups')).toBe(42);
  });
});

describe('an answer', () => {
  const age = (by: string) =>
    stage.client.query(`UPDATE rowgate_idempotency SET created_at = now() - interval '${by}'`);

  test('is kept for its time, and then its key is free', async () => {
    await withWorker({ idempotencyMs: 3_600_000 }, async (gateway) => {
      await send('k', 'f', insert, gateway);
      await age('59 minutes');
      await send('k', 'f', insert, gateway);
      expect(await database.count('groups')).toBe(3);
      await age('61 minutes');
      const renamed: readonly TestStep[] = [['Groups.insert()', { name: 'later' }]];
      expect(JSON.parse(await send('k', 'other', renamed, gateway))).toMatchObject({ id: 4 });
      expect(JSON.parse(await send('k', 'other', renamed, gateway))).toMatchObject({ id: 4 });
    });
    expect(await database.count('groups')).toBe(4);
  });

  test('is deleted after its time, so many at once', async () => {
    await send('k');
    await stage.client.query(`INSERT INTO rowgate_idempotency
      SELECT 'old' || n, 'f', '1', now() - interval '2 hours' FROM generate_series(1, 1500) AS n`);
    await withWorker({ idempotencyMs: 3_600_000 }, async (gateway) => {
      await send('k2', 'f', [['Groups.insert()', { name: 'other' }]], gateway);
    });
    expect(await database.count('rowgate_idempotency')).toBe(502);
    expect(await send('k')).toContain('"new"');
  });

  test('is larger than allowed: nothing is written or kept', async () => {
    const rows = Array.from({ length: 10_000 }, () => ({ name: 'n'.repeat(80) }));
    const problem = { code: 'answer-too-large' };
    const sent = send('k', 'f', [['Nodes.bulkInsert()', rows]]);
    await expect(sent).rejects.toMatchObject({ problem });
    expect(await database.count('nodes')).toBe(2);
    expect(await database.count('rowgate_idempotency')).toBe(0);
  });
});

test('without the right to make the table, nothing is written', async () => {
  await stage.client.query(`CREATE ROLE limited LOGIN;
    GRANT ALL ON ALL TABLES IN SCHEMA public TO limited;
    GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO limited`);
  const connection = { ...stage.connection, user: 'limited' };
  const limited = async (gateway: TestGateway) => {
    const problem = { code: 'idempotency-unavailable', sqlstate: '42501' };
    await expect(send('k', 'f', insert, gateway)).rejects.toMatchObject({ problem });
    expect(await database.count('groups')).toBe(2);
  };
  await withWorker({}, limited, connection);
  // Nor with a table that it may not use.
  await send('other', 'f', [['Notes.insert()', { text: 'x' }]]);
  await withWorker({}, limited, connection);
  await stage.client.query('GRANT ALL ON rowgate_idempotency TO limited');
  await withWorker(
    {},
    async (gateway) => {
      expect(JSON.parse(await send('k', 'f', insert, gateway))).toMatchObject({ name: 'new' });
    },
    connection,
  );
});
