/**
 * A suite for each database: a write with an idempotency key is executed once, however often it is
 * sent.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkerContext } from '../../src/workers/protocol.js';
import type { TestGateway, TestStep } from './test-worker.js';

/** A database with the tables of the write cases, a worker with it, and a separate connection. */
export interface KeyedStage {
  readonly gateway: TestGateway;
  /** The table of Groups, as written in SQL. */
  readonly groups: string;
  /** Starts another worker with the same database. */
  startWorker(changes: Partial<WorkerContext>): {
    readonly gateway: TestGateway;
    close(): Promise<void>;
  };
  /** Stores the rows with which every test starts, and drops the table of idempotency records. */
  seed(): Promise<void>;
  sql(text: string): Promise<void>;
  count(table: string): Promise<number>;
  /** Makes all idempotency records older by `minutes` minutes. */
  age(minutes: number): Promise<void>;
  /** Adds `rows` idempotency records that are two hours old. */
  addOld(rows: number): Promise<void>;
  /** Locks the rows of Notes until the returned function is called. */
  holdNotes(): Promise<() => Promise<void>>;
  /** Locks an idempotency record until the returned function is called. */
  holdRecord(key: string): Promise<() => Promise<void>>;
  /** Waits until `sessions` sessions are waiting for a lock. */
  waitForLock(sessions?: number): Promise<void>;
  /** The number of open transactions of workers in which no statement is running. */
  openTransactions(): Promise<number>;
  stop(): Promise<void>;
}

const insert: readonly TestStep[] = [['Groups.insert()', { name: 'new' }]];

/** Sends a write with a key, and returns the text of the answer. */
export function sendKeyed(
  gateway: TestGateway,
  key: string,
  fingerprint = 'f',
  steps: readonly TestStep[] = insert,
): Promise<string> {
  const requestKey = { key, fingerprint };
  return gateway.transact(steps, { requestKey, isSingle: true }).then(({ text }) => text);
}

/** Declares the tests for a database. */
export function describeKeys(start: () => Promise<KeyedStage>): void {
  let database: KeyedStage;
  let gateway: TestGateway;

  beforeAll(async () => {
    database = await start();
    ({ gateway } = database);
  });
  beforeEach(() => database.seed());
  afterAll(() => database.stop());

  const send = (key: string, fingerprint?: string, steps?: readonly TestStep[], by = gateway) =>
    sendKeyed(by, key, fingerprint, steps);

  async function withWorker(
    changes: Partial<WorkerContext>,
    work: (gateway: TestGateway) => Promise<void>,
  ): Promise<void> {
    const worker = database.startWorker(changes);
    try {
      await work(worker.gateway);
    } finally {
      await worker.close();
    }
  }

  describe('a request that is repeated with its key', () => {
    test('gets the bytes of the first answer, and writes nothing', async () => {
      const first = await send('k');
      expect(JSON.parse(first)).toEqual({ id: 3, name: 'new', note: null });
      await database.sql(`UPDATE ${database.groups} SET name = 'changed' WHERE id = 3`);
      expect(await send('k')).toBe(first);
      expect(await send('k')).toBe(first);
      expect(await database.count(database.groups)).toBe(3);
      expect(await database.count('rowgate_idempotency')).toBe(1);
    });

    test('gets them from another worker, at any isolation level', async () => {
      const first = await send('k');
      await withWorker({}, async (gateway) => {
        for (const isolation of ['readCommitted', 'repeatableRead', 'serializable'] as const) {
          const requestKey = { key: 'k', fingerprint: 'f' };
          const options = { requestKey, isSingle: true, isolation };
          expect((await gateway.transact(insert, options)).text).toBe(first);
        }
      });
      expect(await database.count(database.groups)).toBe(3);
    });

    test('gets the list of a transaction, however long', async () => {
      const rows = Array.from({ length: 8000 }, (_, index) => ({ name: `ünïcode ${index}` }));
      const steps: readonly TestStep[] = [['Nodes.bulkInsert()', rows], ...insert];
      const requestKey = { key: 'k', fingerprint: 'f' };
      const first = await gateway.transact(steps, { requestKey });
      expect(first.parts).toBeGreaterThan(1);
      const again = await gateway.transact(steps, { requestKey });
      expect(again.text).toBe(first.text);
      expect(await database.count('nodes')).toBe(8002);
    });

    test('is refused if it is a different request, and writes nothing', async () => {
      await send('k');
      const problem = { code: 'idempotency-key-reused' };
      await expect(send('k', 'other')).rejects.toMatchObject({ problem });
      await expect(send('k', 'other', [['Notes.deleteAll()']])).rejects.toMatchObject({ problem });
      expect(await database.count(database.groups)).toBe(3);
      expect(await database.count('notes')).toBe(2);
    });
  });

  describe('a request that has failed', () => {
    test('does not occupy its key', async () => {
      const taken: readonly TestStep[] = [['Groups.insert()', { name: 'tools' }]];
      const problem = { code: 'unique-violation', place: 'data.name' };
      await expect(send('k', 'f', taken)).rejects.toMatchObject({ problem });
      expect(await database.count('rowgate_idempotency')).toBe(0);
      expect(JSON.parse(await send('k', 'other'))).toMatchObject({ name: 'new' });
    });

    test('does not prevent a waiting duplicate from writing', async () => {
      const steps: readonly TestStep[] = [...insert, ['Notes.deleteAll()']];
      for (const [query] of steps) await gateway.compile(query);
      const release = await database.holdNotes();
      const requestKey = { key: 'k', fingerprint: 'f' };
      const first = gateway.startTransaction(steps, { requestKey });
      await database.waitForLock();
      const twin = gateway.startTransaction(steps, { requestKey });
      await database.waitForLock(2);
      gateway.cancel(first.id);
      await expect(first.received).rejects.toMatchObject({ problem: { code: 'cancelled' } });
      await release();
      expect(JSON.parse((await twin.received).text)).toMatchObject([{ name: 'new' }, 2]);
      expect(await database.count(database.groups)).toBe(3);
    });
  });

  describe('concurrent duplicates', () => {
    test('write once and get the same answer, and one of them creates the table', async () => {
      await withWorker({}, async (gateway) => {
        const sent = Array.from({ length: 24 }, (_, index) =>
          send('k', 'f', insert, index % 2 === 0 ? database.gateway : gateway),
        );
        const answers = await Promise.all(sent);
        expect(new Set(answers).size).toBe(1);
      });
      expect(await database.count(database.groups)).toBe(3);
      // InnoDB reports its transactions from a copy that it updates ten times a second.
      await expect.poll(() => database.openTransactions(), { interval: 200 }).toBe(0);
    });

    test('write once for each of many keys', async () => {
      const sent = Array.from({ length: 120 }, (_, index) => {
        const name = `g${index % 40}`;
        return send(`k${index % 40}`, name, [['Groups.insert()', { name }]]);
      });
      const answers = await Promise.all(sent);
      expect(new Set(answers).size).toBe(40);
      expect(await database.count(database.groups)).toBe(42);
    });
  });

  describe('an answer', () => {
    test('is stored until it expires, and then its key is free', async () => {
      await withWorker({ idempotencyMs: 3_600_000 }, async (gateway) => {
        await send('k', 'f', insert, gateway);
        await database.age(59);
        await send('k', 'f', insert, gateway);
        expect(await database.count(database.groups)).toBe(3);
        await database.age(61);
        const renamed: readonly TestStep[] = [['Groups.insert()', { name: 'later' }]];
        expect(JSON.parse(await send('k', 'other', renamed, gateway))).toMatchObject({ id: 4 });
        expect(JSON.parse(await send('k', 'other', renamed, gateway))).toMatchObject({ id: 4 });
      });
      expect(await database.count(database.groups)).toBe(4);
    });

    test('is deleted after it expires, a limited number of answers at a time', async () => {
      await send('k');
      await database.addOld(1500);
      await withWorker({ idempotencyMs: 3_600_000 }, async (gateway) => {
        await send('k2', 'f', [['Groups.insert()', { name: 'other' }]], gateway);
        // The write does not wait for that.
        await expect.poll(() => database.count('rowgate_idempotency')).toBe(502);
      });
      expect(await send('k')).toContain('"new"');
    });

    test('is not deleted while it is locked, and nothing waits for that', async () => {
      await send('k');
      await database.addOld(3);
      const release = await database.holdRecord('old2');
      try {
        await withWorker({ idempotencyMs: 3_600_000 }, async (gateway) => {
          await send('k2', 'f', [['Groups.insert()', { name: 'other' }]], gateway);
          await expect.poll(() => database.count('rowgate_idempotency')).toBe(3);
        });
      } finally {
        await release();
      }
    });

    test('that is too large to be stored is refused, and nothing is written', async () => {
      const rows = Array.from({ length: 10_000 }, () => ({ name: 'n'.repeat(80) }));
      const problem = { code: 'answer-too-large' };
      const sent = send('k', 'f', [['Nodes.bulkInsert()', rows]]);
      await expect(sent).rejects.toMatchObject({ problem });
      expect(await database.count('nodes')).toBe(2);
      expect(await database.count('rowgate_idempotency')).toBe(0);
    });
  });
}
