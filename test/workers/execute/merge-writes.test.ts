import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';
import type { Ask, BatchWorker } from './batch-worker.js';

let fixture: BatchFixture;
beforeAll(async () => {
  fixture = await startBatchFixture(`
    CREATE TABLE ran (at timestamptz);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO ran VALUES (statement_timestamp()); RETURN NULL; END $$;
    CREATE TABLE watched (LIKE ran);
    CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO watched VALUES (clock_timestamp()); RETURN NULL; END $$;
    CREATE TABLE parts (id int PRIMARY KEY, item_id int, name text, quantity int CHECK (quantity >= 0));
    CREATE TRIGGER note AFTER INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION note();
    CREATE TABLE loose (id numeric(20, 2) PRIMARY KEY, bits char(6), ref uuid, day date, number int,
      text text, short smallint, long bigint, real float4, kind varchar(8));
    CREATE TRIGGER note AFTER INSERT OR UPDATE ON loose FOR EACH ROW EXECUTE FUNCTION note();
    CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RETURN CASE WHEN NEW.value <> 3 THEN NEW END; END $$;
    CREATE TABLE counter (id int, value int);
    CREATE TRIGGER leave_out BEFORE INSERT ON counter FOR EACH ROW EXECUTE FUNCTION leave_out();`);
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.sql('TRUNCATE parts, loose, counter, ran'));

/** The timeout for waiting until commits take too long, in milliseconds. */
const WAIT = { timeout: 90_000, interval: 1000 };
const WAIT_SHORTLY = { timeout: 60_000, interval: 20 };

const measured = { batching: 'measured', connectionsPerSource: 4 } as const;
const numbers = Array.from({ length: 24 }, (_, index) => index + 1);

/** The number of statements that have written rows since the last call. */
async function statements(): Promise<number> {
  const ran = await fixture.sql('DELETE FROM ran RETURNING at::text');
  return new Set(ran.map(({ at }) => String(at))).size;
}

/** The outcomes of requests that run one after another. */
async function alone(worker: BatchWorker, asks: readonly Ask[]): Promise<readonly string[]> {
  const outcomes: string[] = [];
  for (const ask of asks) outcomes.push(...(await worker.outcomes([ask])));
  return outcomes;
}

test('waiting inserts become one statement, and each gets its own row', () =>
  fixture.withWorker(measured, async (worker) => {
    const plan = await worker.prepare('Parts.insert()');
    const odd = ['', 'NULL', '{"a"}', 'a,b', 'back\\slash', '"', null, '😀'];
    const asks = numbers.map((id) => ({
      plan,
      data: { id, itemId: id % 3, name: odd[id % odd.length], quantity: id % 5 },
    }));
    const expected = await alone(worker, asks);
    const before = await fixture.sql('SELECT * FROM parts ORDER BY id');
    // A group whose commit takes long is given up, and its requests run one by one.
    await vi.waitFor(async () => {
      await fixture.sql('TRUNCATE parts, ran');
      expect(await worker.outcomes(asks)).toEqual(expected);
      expect(await fixture.sql('SELECT * FROM parts ORDER BY id')).toEqual(before);
      expect(await statements()).toBe(1);
    }, WAIT);
  }));

test('only an invalid insert is refused', () =>
  fixture.withWorker(measured, async (worker) => {
    const plan = await worker.prepare('Parts.insert()');
    const asks = numbers.map((id) => ({
      plan,
      data: { id, itemId: 1, name: 'part', quantity: id === 7 ? -1 : 1 },
    }));
    const outcomes = await worker.outcomes(asks);
    const refused = outcomes.flatMap((outcome, index) =>
      outcome.startsWith('!') ? [index + 1] : [],
    );
    expect(refused).toEqual([7]);
    expect(await fixture.sql('SELECT id FROM parts')).toHaveLength(numbers.length - 1);
  }));

test('a column of another type than its property can be inserted into', () =>
  fixture.withWorker(measured, async (worker) => {
    const plan = await worker.prepare('Loose.insert()');
    const asks = numbers.map((id) => ({
      plan,
      data: { id, ref: `00000000-0000-4000-8000-0000000000${String(id + 10)}`, day: '2024-02-29' },
    }));
    for (let round = 0; round < 3; round += 1) {
      const outcomes = await worker.outcomes(asks);
      for (const [index, outcome] of outcomes.entries()) {
        expect(JSON.parse(outcome)).toMatchObject({ id: index + 1, ref: asks[index]?.data.ref });
      }
      await fixture.sql('TRUNCATE loose');
    }
  }));

test('a trigger for each statement runs once for each request, and for no other', () =>
  fixture.withWorker(measured, async (worker) => {
    await fixture.sql(`INSERT INTO parts SELECT i, 0, 'p', 1 FROM generate_series(1, 24) i;
      CREATE TRIGGER watch BEFORE INSERT OR UPDATE ON parts EXECUTE FUNCTION watch()`);
    try {
      const update = await worker.prepare('Parts.update(p=>({quantity: q})).filter(p=>p.id==id)');
      const insert = await worker.prepare('Parts.insert()');
      const updates = numbers.map((id) => ({ plan: update, data: { id, q: 2 } }));
      const inserts = numbers.map((id) => ({ plan: insert, data: { id: id + 24, name: 'new' } }));
      for (let round = 1; round <= 5; round += 1) {
        await worker.outcomes([...updates, ...inserts]);
        await fixture.sql('DELETE FROM parts WHERE id > 24');
      }
      const ran = await fixture.sql('DELETE FROM watched RETURNING at');
      expect(ran).toHaveLength(5 * (updates.length + inserts.length));
    } finally {
      await fixture.sql('DROP TRIGGER watch ON parts');
    }
  }));

test('if a trigger skips rows, the other requests get their own', () =>
  fixture.withWorker(measured, async (worker) => {
    const plan = await worker.prepare('Counter.insert()');
    const asks = numbers.map((id) => ({ plan, data: { id, value: id % 5 } }));
    const expected = await alone(worker, asks);
    const before = await fixture.sql('SELECT * FROM counter ORDER BY id');
    for (let round = 0; round < 3; round += 1) {
      await fixture.sql('TRUNCATE counter');
      expect(await worker.outcomes(asks)).toEqual(expected);
      expect(await fixture.sql('SELECT * FROM counter ORDER BY id')).toEqual(before);
    }
  }));

/**
 * Sends requests until the database's description of the update is known. On a busy machine, a statement
 * that was slow is not merged for ten seconds.
 */
async function learn(worker: BatchWorker, asks: readonly Ask[]): Promise<void> {
  await vi.waitFor(async () => {
    const outcomes = await worker.outcomes(asks);
    expect(await statements()).toBeLessThan(outcomes.filter((each) => each === '1').length);
  }, WAIT_SHORTLY);
}

test('waiting updates by key become one statement', () =>
  fixture.withWorker(measured, async (worker) => {
    const values = numbers.map((id) => `(${id}, 0, 'p', ${id})`).join(', ');
    await fixture.sql(`INSERT INTO parts VALUES ${values}`);
    const plan = await worker.prepare(
      'Parts.update(p=>({name: n, quantity: p.quantity + d})).filter(p=>p.id==id && p.quantity<max)',
    );
    const asks = numbers.map((id) => ({
      plan,
      // Every fifth request names a row that does not exist, or whose other condition does not
      // hold.
      data: { id: id % 5 === 0 ? id + 100 : id, n: `new "${id}", {}`, d: id, max: id + (id % 3) },
    }));
    const expected = await alone(worker, asks);
    const before = await fixture.sql('SELECT * FROM parts ORDER BY id');
    expect(new Set(expected)).toEqual(new Set(['0', '1']));
    await learn(
      worker,
      numbers.slice(0, 4).map((id) => ({ plan, data: { id, n: 'p', d: 0, max: 1000 } })),
    );
    await vi.waitFor(async () => {
      await fixture.sql(`TRUNCATE parts; INSERT INTO parts VALUES ${values}; TRUNCATE ran`);
      expect(await worker.outcomes(asks)).toEqual(expected);
      expect(await fixture.sql('SELECT * FROM parts ORDER BY id')).toEqual(before);
      expect(await statements()).toBe(1);
    }, WAIT);
  }));

test('several updates of one row take effect one after the other', () =>
  fixture.withWorker(measured, async (worker) => {
    await fixture.sql(`INSERT INTO parts VALUES (1, 0, 'p', 0), (2, 0, 'p', 0)`);
    const plan = await worker.prepare(
      'Parts.update(p=>({quantity: p.quantity + d})).filter(p=>p.id==id)',
    );
    const asks = numbers.map((number) => ({ plan, data: { id: 1 + (number % 2), d: number } }));
    const total = numbers.reduce((sum, number) => sum + number, 0);
    for (let round = 1; round <= 5; round += 1) {
      expect(await worker.outcomes(asks)).toEqual(asks.map(() => '1'));
      const [{ sum } = {}] = await fixture.sql('SELECT sum(quantity)::int FROM parts');
      expect(sum).toBe(total * round);
    }
  }));

test('only an invalid update fails', () =>
  fixture.withWorker(measured, async (worker) => {
    await fixture.sql(`INSERT INTO parts SELECT i, 0, 'p', 1 FROM generate_series(1, 24) i`);
    const plan = await worker.prepare('Parts.update(p=>({quantity: q})).filter(p=>p.id==id)');
    await learn(
      worker,
      numbers.slice(0, 8).map((id) => ({ plan, data: { id, q: 1 } })),
    );
    const asks = numbers.map((id) => ({ plan, data: { id, q: id === 9 ? -1 : id } }));
    const outcomes = await worker.outcomes(asks);
    expect(outcomes.filter((outcome) => outcome === '1')).toHaveLength(23);
    expect(outcomes[8]).toMatch(/^! check-violation/);
    const rows = await fixture.sql('SELECT id, quantity FROM parts ORDER BY id');
    expect(rows).toEqual(numbers.map((id) => ({ id, quantity: id === 9 ? 1 : id })));
  }));

test('keys of a column of another type are found by their number', () =>
  fixture.withWorker(measured, async (worker) => {
    await fixture.sql(`INSERT INTO loose (id, bits) SELECT i, 'b' FROM generate_series(1, 24) i`);
    const plan = await worker.prepare('Loose.update(p=>({ref: r, kind: k})).filter(p=>p.id==id)');
    const asks = numbers.map((id) => ({
      plan,
      data: { id, r: `00000000-0000-4000-8000-0000000000${String(id + 10)}`, k: `k${id}` },
    }));
    await learn(worker, asks);
    expect(await worker.outcomes(asks)).toEqual(asks.map(() => '1'));
    const rows = await fixture.sql('SELECT id::int, ref, kind FROM loose ORDER BY id');
    expect(rows).toEqual(asks.map(({ data: { id, r, k } }) => ({ id, ref: r, kind: k })));
  }));
