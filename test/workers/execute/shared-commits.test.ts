import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { withClient } from '../../support/embedded.js';
import { createCancellation } from '../../../src/workers/cancellation.js';
import type { TakeOptions } from '../../../src/workers/database/pool.js';
import type { Source } from '../../../src/workers/database/source.js';
import { plain } from '../../../src/workers/database/statement.js';
import { ShortActivity } from '../../../src/workers/execute/long-reads.js';
import { SharedCommits } from '../../../src/workers/execute/shared-commits.js';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';

let fixture: BatchFixture;
beforeAll(async () => {
  fixture = await startBatchFixture(`
    CREATE TABLE parts (id int PRIMARY KEY, item_id int, name text UNIQUE,
      quantity int CHECK (quantity >= 0));`);
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.sql(`TRUNCATE parts; INSERT INTO parts VALUES (0, 0, 'taken', 0)`));

const CLIENTS = 64;
const ROUNDS = 8;

/** What is wrong with some of the writes, by id. */
function faultOf(id: number): { readonly name?: string; readonly quantity?: number } {
  if (id % 7 === 0) return { name: 'taken' };
  return id % 11 === 0 ? { quantity: -1 } : {};
}

test('acknowledged writes are stored once, and refused ones are not, whoever shared their commit', () =>
  fixture.withWorker({ batching: 'measured', connectionsPerSource: 4 }, async (worker) => {
    const plan = await worker.prepare('Parts.insert()');
    const outcomes = new Map<number, string>();
    const client = async (first: number): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = first + round * CLIENTS;
        const data = { id, itemId: 1, name: `part ${id}`, quantity: 1, ...faultOf(id) };
        const [outcome = ''] = await worker.outcomes([{ plan, data }]);
        outcomes.set(id, outcome);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index + 1)));
    const ids = [...outcomes.keys()].sort((one, other) => one - other);
    const good = ids.filter((id) => Object.keys(faultOf(id)).length === 0);
    const rows = await fixture.sql('SELECT id FROM parts WHERE id > 0 ORDER BY id');
    expect(rows.map(({ id }) => id)).toEqual(good);
    for (const id of ids) {
      const { name, quantity } = faultOf(id);
      const expected = name ? /^! unique-/ : quantity ? /^! check-/ : /^\{"id":/;
      expect(outcomes.get(id)).toMatch(expected);
    }
    // Every request was answered once.
    expect(worker.surplus).toBe(0);
  }));

test('requests that share a commit with one that waits for a lock do not wait', () =>
  fixture.withWorker({ batching: 'measured', connectionsPerSource: 4 }, async (worker) => {
    const insert = await worker.prepare('Parts.insert()');
    const update = await worker.prepare('Parts.update(p=>({quantity: n})).filter(p=>p.id==id)');
    const inserts = Array.from({ length: 20 }, (_, index) => index + 1).map((id) => ({
      plan: insert,
      data: { id, itemId: 1, name: `part ${id}`, quantity: 1 },
    }));
    let waiting: Promise<string> | undefined;
    await withClient(fixture.connection, async (holder) => {
      await holder.query('BEGIN; UPDATE parts SET item_id = 9 WHERE id = 0');
      const asked = worker.ask([{ plan: update, data: { id: 0, n: 5 } }, ...inserts]);
      const [first, ...others] = asked.map(({ outcome }) => outcome);
      waiting = first;
      for (const outcome of await Promise.all(others)) expect(outcome).toMatch(/^\{"id":/);
      const [{ quantity } = {}] = await fixture.sql('SELECT quantity FROM parts WHERE id = 0');
      expect(quantity).toBe(0);
      await holder.query('COMMIT');
    });
    expect(await waiting).toBe('1');
    const rows = await fixture.sql('SELECT id, quantity, item_id FROM parts ORDER BY id');
    expect(rows.length).toBe(21);
    expect(rows[0]).toEqual({ id: 0, quantity: 5, item_id: 9 });
  }));

test('writes that wait for a lock delay no others', () =>
  fixture.withWorker({ batching: 'measured', connectionsPerSource: 8 }, async (worker) => {
    const insert = await worker.prepare('Parts.insert()');
    const update = await worker.prepare('Parts.update(p=>({quantity: n})).filter(p=>p.id==id)');
    const waiting: Promise<readonly string[]>[] = [];
    await withClient(fixture.connection, async (holder) => {
      await holder.query('BEGIN; UPDATE parts SET item_id = 9 WHERE id = 0');
      for (let n = 1; n <= 3; n += 1) {
        waiting.push(worker.outcomes([{ plan: update, data: { id: 0, n } }]));
        await sleep(5);
      }
      const data = { id: 1, itemId: 1, name: 'another', quantity: 1 };
      expect(await worker.outcomes([{ plan: insert, data }])).toEqual([
        expect.stringMatching(/^\{"id":1/),
      ]);
      await holder.query('COMMIT');
    });
    expect(await Promise.all(waiting)).toEqual([['1'], ['1'], ['1']]);
  }));

function commitsOn(source: Source, waitMs = 5000): SharedCommits {
  return new SharedCommits(source, new ShortActivity(new SharedArrayBuffer(4)), waitMs);
}

type Work = (lease: unknown) => Promise<unknown>;

/** Three transactions that get their connections when they are unlocked, and what has run. */
async function holdCommits(waitMs?: number) {
  const ran: string[] = [];
  let unlock = (): void => undefined;
  const locked = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  const lease = {
    async write(statements: readonly { readonly text: string }[]) {
      ran.push(...statements.map(({ text }) => text));
      return statements.map(() => ({ rows: { length: 0 }, count: 1 }));
    },
  };
  // It needs nothing else of a source.
  const leases: TakeOptions[] = [];
  const withLease = async (_: unknown, options: TakeOptions, work: Work) => {
    if (leases.push(options) <= 3) await locked;
    return work(lease);
  };
  const commits = commitsOn({ withLease } as unknown as Source, waitMs);
  const held: Promise<unknown>[] = [];
  for (let i = 0; i < 3; i += 1) {
    held.push(commits.write([plain('held')], createCancellation()));
    await sleep(1);
  }
  return { commits, held, ran, leases, unlock };
}

test('writes that have waited too long for a transaction are refused and not executed', async () => {
  const { commits, held, ran, unlock } = await holdCommits(200);
  const late = commits.write([plain('late')], createCancellation());
  const refused = expect(late).rejects.toMatchObject({ code: 'queue-timeout' });
  await sleep(250);
  const soon = commits.write([plain('soon')], createCancellation());
  unlock();
  await Promise.all([...held, soon, refused]);
  expect(ran).toEqual(['held', 'held', 'held', 'soon']);
});

test.each([1, 2])(
  'the wait for a transaction counts as a wait for its connection: writes in it: %d',
  async (count) => {
    const { commits, held, leases, unlock } = await holdCommits();
    const late = Array.from({ length: count }, () =>
      commits.write([plain('late')], createCancellation()),
    );
    const soonest = performance.now();
    await sleep(50);
    unlock();
    await Promise.all([...held, ...late]);
    expect(leases).toHaveLength(4);
    expect(leases[3]?.since).toBeLessThanOrEqual(soonest);
  },
);

test('writes behind many whose clients have left are executed', async () => {
  const { commits, held, ran, unlock } = await holdCommits();
  const leaving = Array.from({ length: 300 }, () => createCancellation());
  const gone = leaving.map((each) => commits.write([plain('gone')], each).catch(String));
  const live = commits.write([plain('live')], createCancellation());
  for (const each of leaving) each.cancel();
  unlock();
  await Promise.all([...held, live, ...gone]);
  expect(ran).toEqual(['held', 'held', 'held', 'live']);
});

test('a slow write does not keep writes to other tables from sharing commits', async () => {
  const commitsOf: string[][] = [];
  const lease = {
    async write(statements: readonly { readonly text: string }[]) {
      commitsOf.push(statements.map(({ text }) => text));
      if (statements.some(({ text }) => text === 'slow')) await sleep(100);
      return statements.map(() => ({ rows: { length: 0 }, count: 1 }));
    },
  };
  const withLease = async (_: unknown, _options: unknown, work: Work) => work(lease);
  const source = { driver: {}, withLease } as unknown as Source;
  const commits = commitsOn(source);
  const guarded = (text: string, table: string) =>
    commits.write([{ ...plain(text), table }, plain('guard')], createCancellation());
  await guarded('slow', 'parts');
  await Promise.all([guarded('a', 'items'), guarded('b', 'items')]);
  await Promise.all([guarded('slow', 'parts'), guarded('c', 'items')]);
  expect(commitsOf).toEqual([
    ['slow', 'guard'],
    ['a', 'guard', 'b', 'guard'],
    ['slow', 'guard'],
    ['c', 'guard'],
  ]);
});

test('the only connection, which reads have shared, is returned for a write', () =>
  fixture.withWorker({ batching: 'measured', connectionsPerSource: 1 }, async (worker) => {
    const read = await worker.prepare('Parts.filter(p=>p.id==id).map(p=>p.id)');
    for (let round = 0; round < 10; round += 1) {
      expect(await worker.outcomes([{ plan: read, data: { id: 0 } }])).toEqual(['[{"id":0}]']);
    }
    // Long enough for the check of running connections to have stopped.
    await sleep(1500);
    const plan = await worker.prepare('Parts.insert()');
    const data = { id: 1, itemId: 1, name: 'one', quantity: 1 };
    expect(await worker.outcomes([{ plan, data }])).toEqual([expect.stringMatching(/^\{"id":1/)]);
  }));
