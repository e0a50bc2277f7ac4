/**
 * Concurrent writes are complete or have no effect, whatever stops them; and how times and sequences
 * behave.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startWriteStage, type WriteStage } from './write-stage.js';

let stage: WriteStage;

beforeAll(async () => {
  stage = await startWriteStage();
});
beforeEach(() => stage.seed());
afterAll(() => stage.stop());

const nested = 'Groups.insert().include(p=>p.items.include(i=>i.maker))';
const nestedData = {
  name: 'new',
  items: [{ name: 'x', maker: { id: 'CC', name: 'Claes' } }],
};

describe('a write that waits for another transaction', () => {
  test('is rolled back completely if its client disconnects', async () => {
    const { gateway } = stage;
    await gateway.compile(nested);
    await stage.client.query(`BEGIN; INSERT INTO makers (id, name) VALUES ('CC', 'other')`);
    const { id, received } = gateway.start(nested, { data: nestedData });
    await waitForLock();
    gateway.cancel(id);
    await expect(received).rejects.toMatchObject({ problem: { code: 'cancelled' } });
    await stage.client.query('ROLLBACK');
    expect(await count('groups')).toBe(2);
    await expect.poll(openTransactions).toBe(0);
  });

  test('is rolled back completely if its backend dies', async () => {
    const { gateway } = stage;
    await gateway.compile(nested);
    await stage.client.query(`BEGIN; INSERT INTO makers (id, name) VALUES ('CC', 'other')`);
    const { received } = gateway.start(nested, { data: nestedData });
    await waitForLock();
    await stage.client.query(`SELECT pg_terminate_backend(pid) ${lockWaits}`);
    await expect(received).rejects.toMatchObject({ problem: { code: 'source-unavailable' } });
    await stage.client.query('ROLLBACK');
    expect(await count('groups')).toBe(2);
    expect(await gateway.rows('Groups.insert()', { name: 'after' })).toMatchObject({
      name: 'after',
    });
  });

  test('sees what the other one has committed', async () => {
    const { gateway } = stage;
    await gateway.compile(nested);
    await stage.client.query(`BEGIN; INSERT INTO makers (id, name) VALUES ('CC', 'other')`);
    const { received } = gateway.start(nested, { data: nestedData });
    await waitForLock();
    await stage.client.query('COMMIT');
    const place = 'data.items[0].maker.id';
    const problem = { code: 'unique-violation', place };
    await expect(received).rejects.toMatchObject({ problem });
    expect(await count('groups')).toBe(2);
  });
});

test('many concurrent writes are each stored completely', async () => {
  const { gateway } = stage;
  const query = 'Groups.insert().include(p=>p.items.include(i=>i.parts))';
  await gateway.compile(query);
  const parts = [{ number: 1 }, { number: 2 }];
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      gateway.rows(query, {
        name: `g${index}`,
        items: [
          { name: 'a', parts },
          { name: 'b', parts },
        ],
      }),
    ),
  );
  expect(answers).toHaveLength(100);
  expect(await count('groups')).toBe(102);
  expect(await count('Items')).toBe(203);
  expect(await count('"Item Parts"')).toBe(403);
  expect(await openTransactions()).toBe(0);
});

test('some of many writes fail without affecting the others', async () => {
  const { gateway } = stage;
  const query = 'Groups.insert().include(p=>p.items)';
  await gateway.compile(query);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) =>
      gateway.rows(query, {
        name: `g${index}`,
        items: [{ name: 'a', makerId: index % 3 === 0 ? 'ZZ' : 'AA' }],
      }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
  expect(await count('groups')).toBe(42);
  expect(await count('Items')).toBe(43);
});

test('a table that changed under a prepared statement can be written', async () => {
  const { gateway } = stage;
  const query = 'Odd.insert()';
  await gateway.rows(query, { order: 'a' });
  await stage.client.query('ALTER TABLE "OddRows" ALTER "order" TYPE text');
  expect(await gateway.rows(query, { order: 'b' })).toMatchObject({ order: 'b' });
  expect(await count('"OddRows"')).toBe(3);
});

test('defaults are evaluated for each request', async () => {
  const before = Date.now();
  const stored: unknown = await stage.gateway.rows('Stamps.insert()', {});
  const at = Date.parse(String(Reflect.get(Object(stored), 'at')));
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
  expect(Reflect.get(Object(stored), 'day')).toBe(
    `${new Date(at).toISOString().slice(0, 10)}T00:00:00.000Z`,
  );
});

describe('a sequence', () => {
  test.each([3, 40, 5000, 2_000_000_000])('is moved past the explicit key %i', async (id) => {
    await stage.gateway.rows('Groups.insert()', { id, name: 'explicit' });
    expect(await stage.gateway.rows('Groups.insert()', { name: 'next' })).toMatchObject({
      id: id + 1,
    });
  });

  test.each([-5, 0])('does not move for the explicit key %i', async (id) => {
    await stage.gateway.rows('Groups.insert()', { id, name: 'explicit' });
    expect(await stage.gateway.rows('Groups.insert()', { name: 'next' })).toMatchObject({ id: 3 });
  });

  test('never moves back', async () => {
    await stage.gateway.rows('Groups.bulkInsert()', [{ id: 50, name: 'a' }]);
    await stage.gateway.rows('Groups.bulkInsert()', [{ id: 20, name: 'b' }]);
    expect(await stage.gateway.rows('Groups.insert()', { name: 'c' })).toMatchObject({ id: 51 });
  });
});

test('a long list is stored in order', async () => {
  const rows = Array.from({ length: 12_000 }, (_, index) => ({ name: `n${index}` }));
  const stored: unknown = await stage.gateway.rows('Nodes.bulkInsert()', rows);
  const expected = rows.map(({ name }, index) => ({ id: index + 3, name, parentId: null }));
  expect(stored).toEqual(expected);
});

test('an answer is indented on request', async () => {
  const query = 'Items.insert().include(p=>p.parts)';
  const data = { name: 'x', groupId: 1, parts: [{ number: 1 }] };
  const { text } = await stage.gateway.execute(query, { data, form: 'pretty' });
  expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2));
  const list = await stage.gateway.execute('Groups.bulkInsert()', {
    data: [{ name: 'a' }, { name: 'b' }],
    form: 'pretty',
  });
  expect(list.text).toBe(JSON.stringify(JSON.parse(list.text), null, 2));
});

async function count(table: string): Promise<number> {
  const { rows } = await stage.client.query(`SELECT count(*)::int AS rows FROM ${table}`);
  return rows[0]?.rows ?? 0;
}

async function openTransactions(): Promise<number> {
  const { rows } = await stage.client.query(
    `SELECT count(*)::int AS rows FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'rowgate' AND state LIKE 'idle in transaction%'`,
  );
  return rows[0]?.rows ?? 0;
}

/** The backends that wait for a lock. */
const lockWaits = `FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Waits until a backend waits for a lock. */
async function waitForLock(): Promise<void> {
  const end = performance.now() + 30_000;
  for (;;) {
    // Within a transaction, session statistics are those of its first read.
    await stage.client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await stage.client.query(`SELECT 1 ${lockWaits}`);
    if (rows.length > 0) return;
    if (performance.now() > end) throw new Error('Nobody waits for a lock.');
    await sleep(10);
  }
}
