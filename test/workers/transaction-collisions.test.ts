/** Transactions that conflict with others are restarted a limited number of times. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkerContext } from '../../src/workers/protocol.js';
import { endCollisions, letCollide } from './colliding-table.js';
import { startWorker, type TestGateway } from './test-worker.js';
import { type WatchedDatabase, watchDatabase } from './watch-database.js';
import { writeDocument } from './write-schema.js';
import { startWriteStage, type WriteStage } from './write-stage.js';

let stage: WriteStage;
let database: WatchedDatabase;

beforeAll(async () => {
  stage = await startWriteStage();
  database = watchDatabase(stage.client);
});
beforeEach(() => stage.seed());
afterAll(() => stage.stop());

/** Starts another worker with the same database. */
async function withWorker(
  changes: Partial<WorkerContext>,
  work: (gateway: TestGateway) => Promise<void>,
): Promise<void> {
  const worker = startWorker(writeDocument(stage.connection), changes);
  try {
    await work(worker.gateway);
  } finally {
    await worker.close();
  }
}

describe('two transactions that each read what the other changes', () => {
  const steps = (from: number, to: number) =>
    [
      ['Items.filter(p=>p.id==id).map(p=>({next: p.stock+1}))', { id: from }],
      ['Items.update({stock: stock}).filter(p=>p.id==id)', { id: to, stock: { $ref: '0.0.next' } }],
    ] as const;

  test('both succeed at serializable, as if one ran after the other', async () => {
    for (let round = 0; round < 20; round += 1) {
      await stage.client.query('UPDATE Items SET stock = id * 10 WHERE id IN (1, 2)');
      await Promise.all([
        stage.gateway.transact(steps(1, 2), { isolation: 'serializable' }),
        stage.gateway.transact(steps(2, 1), { isolation: 'serializable' }),
      ]);
      const { rows } = await stage.client.query('SELECT id, stock FROM Items WHERE id < 3');
      const stocks = Object.fromEntries(rows.map(({ id, stock }) => [id, stock]));
      expect([
        { 1: 12, 2: 11 },
        { 1: 21, 2: 22 },
      ]).toContainEqual(stocks);
    }
    expect(await database.openTransactions()).toBe(0);
  });
});

describe('what fails to serialize', () => {
  const steps = [
    ['Groups.insert()', { name: 'new' }],
    ['Items.insert()', { name: 'x', groupId: { $ref: '0.id' } }],
    ['Notes.insert()', { text: 'x' }],
  ] as const;

  /** Makes the third step fail `times` times. */
  async function failing(times: number, work: () => Promise<void>): Promise<number> {
    await letCollide(stage.client, 'notes', times);
    try {
      await work();
    } catch (error) {
      await endCollisions(stage.client, 'notes');
      throw error;
    }
    return endCollisions(stage.client, 'notes');
  }

  test('is retried, with references to what is finally stored', async () => {
    const attempts = await failing(3, async () => {
      expect(await stage.gateway.answers(steps)).toMatchObject([
        { id: 6 },
        { groupId: 6 },
        { text: 'x' },
      ]);
    });
    expect(attempts).toBe(4);
    expect(await database.count('groups')).toBe(3);
    expect(await database.count('Items')).toBe(4);
    expect(await database.count('notes')).toBe(3);
  });

  test('is retried as a single write, too', async () => {
    const attempts = await failing(3, async () => {
      expect(await stage.gateway.rows('Notes.insert()', { text: 'x' })).toMatchObject({
        text: 'x',
      });
    });
    expect(attempts).toBe(4);
    expect(await database.count('notes')).toBe(3);
  });

  test('is reported after its last attempt, and nothing is written', async () => {
    const attempts = await failing(4, async () => {
      const problem = { code: 'serialization-failure', step: 2, sqlstate: '40001' };
      await expect(stage.gateway.transact(steps)).rejects.toMatchObject({ problem });
    });
    expect(attempts).toBe(4);
    expect(await database.count('groups')).toBe(2);
    expect(await database.count('notes')).toBe(2);
    expect(await database.openTransactions()).toBe(0);
  });

  test('is tried only once if that is configured', async () => {
    const attempts = await failing(1, () =>
      withWorker({ transactionRetries: 0 }, async (gateway) => {
        const problem = { code: 'serialization-failure' };
        await expect(gateway.transact(steps)).rejects.toMatchObject({ problem });
      }),
    );
    expect(attempts).toBe(1);
  });
});

test('a transaction that a deadlock ends is retried and succeeds', async () => {
  const query = 'Items.update({stock: stock}).filter(p=>p.id==id)';
  const steps = [
    [query, { id: 1, stock: 77 }],
    [query, { id: 2, stock: 77 }],
  ] as const;
  await stage.gateway.compile(query);
  // The worker's transaction starts to wait first, so the server aborts that one.
  await stage.client.query(`SET deadlock_timeout = '20s';
    BEGIN; UPDATE Items SET stock = 1 WHERE id = 2`);
  const { received } = stage.gateway.startTransaction(steps);
  await database.waitForLock();
  await stage.client.query(
    'UPDATE Items SET stock = 1 WHERE id = 1; COMMIT; RESET deadlock_timeout',
  );
  expect(JSON.parse((await received).text)).toEqual([1, 1]);
  const { rows } = await stage.client.query('SELECT stock FROM Items WHERE id < 3');
  expect(rows).toEqual([{ stock: 77 }, { stock: 77 }]);
});

test('a transaction has a time limit for all of its steps together', async () => {
  await withWorker({ transactionTimeoutMs: 300 }, async (gateway) => {
    const steps = [['Groups.insert()', { name: 'new' }], ['Notes.deleteAll()']] as const;
    for (const [query] of steps) await gateway.compile(query);
    await stage.client.query('BEGIN; LOCK TABLE notes');
    const problem = { code: 'statement-timeout', step: 1 };
    await expect(gateway.transact(steps)).rejects.toMatchObject({ problem });
    await stage.client.query('COMMIT');
    expect(await database.count('groups')).toBe(2);
    expect(await gateway.answers(steps)).toMatchObject([{ name: 'new' }, 2]);
  });
});

test('many transactions, some of them cancelled, leave complete ones and free connections', async () => {
  const steps = (name: string) =>
    [
      ['Groups.insert()', { name }],
      ['Items.bulkInsert()', [1, 2].map((n) => ({ name: `i${n}`, groupId: { $ref: '0.id' } }))],
      ['Items.filter(p=>p.groupId==id).include(p=>p.parts)', { id: { $ref: '0.id' } }],
    ] as const;
  for (const [query] of steps('')) await stage.gateway.compile(query);
  const started = Array.from({ length: 200 }, (_, index) => {
    const transaction = stage.gateway.startTransaction(steps(`g${index}`));
    if (index % 3 === 0) setTimeout(() => stage.gateway.cancel(transaction.id), index % 40);
    return transaction.received;
  });
  const outcomes = await Promise.allSettled(started);
  const kept = outcomes.filter(({ status }) => status === 'fulfilled').length;
  expect(kept).toBeGreaterThanOrEqual(133);
  const groups = await database.count('groups');
  // A client that cancels during a commit is not told that its write is stored.
  expect(groups - 2).toBeGreaterThanOrEqual(kept);
  const { rows } = await stage.client.query(`SELECT count(*)::int AS torn FROM groups g
    WHERE id > 2 AND (SELECT count(*) FROM Items i WHERE i.groupId = g.id) <> 2`);
  expect(rows).toEqual([{ torn: 0 }]);
  expect(await database.openTransactions()).toBe(0);
});
