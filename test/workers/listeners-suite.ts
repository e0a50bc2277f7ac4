/**
 * A suite for the listeners of the schema, on each database: when they run, in whose transaction, and
 * which of them stop a request.
 */
import { parse } from 'yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DialectName, loadSchema } from '../../src/engine/index.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { startWorker, type TestWorker } from './test-worker.js';

const domain = `
domain:
  version: 1.0.0
  entities:
    - name: Items
      primaryKey: [id]
      uniqueKey: [name]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: name, required: true, length: 20 }
        - { name: price, type: decimal, default: 1 }
    - name: Logs
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: what, length: 200 }
        - { name: action, length: 20 }
        - { name: itemId, type: integer }
        - { name: at, type: dateTime, default: now() }
infrastructure:
  mappings: [{ name: default }]
  sources: [{ name: default, dialect: PostgreSQL, mapping: default, connection: {} }]
  stages: [{ name: default, sources: [{ name: default }] }]
`;

const listeners = [
  {
    name: 'guard',
    on: ['insert', 'update'],
    condition: 'entity == "Items"',
    before: 'data.name == null || data.name != "forbidden"',
  },
  {
    name: 'audit',
    on: ['insert', 'update', 'delete'],
    condition: 'entity == "Items" && options.stage.in("default", "other")',
    before: 'Logs.insert({what: query, action: action})',
    after: 'Logs.insert({what: concat("after ", data.name), itemId: result.id, action: action})',
  },
  {
    name: 'limit',
    on: ['insert'],
    condition: 'entity == "Items" && data.price > 100',
    after: 'Items.update({price: data.price}).filter(p=>p.name==data.none)',
  },
  { name: 'full', on: ['insert'], condition: 'data.name == "full"', after: '10**400 > 0' },
  {
    name: 'reads',
    on: ['select'],
    condition: 'entity == "Items" && data.loud',
    before: 'Logs.insert({what: "read", action: action})',
    after: 'Logs.insert({what: "was read", action: clause})',
  },
  { name: 'closed', on: ['select'], condition: 'data.closed', before: 'false' },
  {
    name: 'failures',
    on: ['insert', 'update', 'delete', 'select'],
    condition: 'entity == "Items"',
    error: 'Logs.insert({what: concat(error.code, ": ", error.message), action: action})',
  },
  {
    name: 'clumsy',
    on: ['insert'],
    condition: 'data.name == "clumsy"',
    error: 'Logs.insert({itemId: data.name})',
  },
  { name: 'echo', on: ['insert'], condition: 'entity == "Logs"', before: 'false' },
];

/** A database for one suite. */
export interface ListenedDatabase {
  readonly dialect: DialectName;
  readonly connection: unknown;
  sql(text: string): Promise<void>;
  rows(text: string): Promise<readonly (readonly unknown[])[]>;
  /** Empties the tables, and resets their generated keys. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

function documentOf(
  { connection, dialect }: ListenedDatabase,
  views: readonly unknown[] = [],
  own: readonly unknown[] = listeners,
): unknown {
  const value: { readonly infrastructure: { readonly sources: object[] } } = parse(domain);
  for (const source of value.infrastructure.sources) Object.assign(source, { connection, dialect });
  const infrastructure = { ...value.infrastructure, views };
  return { ...value, infrastructure, application: { listeners: own } };
}

/** Declares the tests for a database. */
export function describeListeners(start: () => Promise<ListenedDatabase>): void {
  let database: ListenedDatabase;
  let worker: TestWorker;

  beforeAll(async () => {
    database = await start();
    const schema = loadSchema(documentOf(database));
    await push({ schema, dryRun: false, say: () => undefined });
    worker = startWorker(documentOf(database));
  });
  afterAll(async () => {
    await worker.close();
    await database.stop();
  });
  beforeEach(async () => {
    await database.empty();
    await database.sql(`INSERT INTO Items (name) VALUES ('saw')`);
  });

  const rows = (query: string, data?: unknown) => worker.gateway.rows(query, data);
  const failure = (query: string, data?: unknown) =>
    rows(query, data).then(
      () => expect.unreachable(),
      (error: { readonly problem: unknown }) => error.problem,
    );

  async function tables() {
    const items = await database.rows('SELECT name FROM Items ORDER BY id');
    return {
      items: items.flat(),
      logs: await database.rows('SELECT action, what, itemId FROM Logs ORDER BY id'),
    };
  }

  describe('a write runs its listeners', () => {
    test('before and after, with its request and its answer', async () => {
      const item = { id: 2, name: 'axe', price: 2.5 };
      expect(await rows('Items.insert()', { name: 'axe', price: 2.5 })).toEqual(item);
      expect(await tables()).toEqual({
        items: ['saw', 'axe'],
        logs: [
          ['insert', 'Items.insert()', null],
          ['insert', 'after axe', 2],
        ],
      });
    });

    test('for updates and deletes; names without a value are null', async () => {
      expect(await rows('Items.update({price: p}).filter(p=>p.id==1)', { p: 3 })).toBe(1);
      expect(await rows('Items.delete()', { id: 1 })).toBe(1);
      expect(await tables()).toEqual({
        items: [],
        logs: [
          ['update', 'Items.update({price: p}).filter(p=>p.id==1)', null],
          ['update', null, null],
          ['delete', 'Items.delete()', null],
          ['delete', null, null],
        ],
      });
    });

    test('whose condition reads the answer, after the write', async () => {
      const query = 'Items.update({price: p}).filter(p=>p.name==name)';
      const found = { name: 'found', on: ['update'], condition: 'result > 0' };
      const after = 'Logs.insert({what: data.name, action: action})';
      const counting = startWorker(documentOf(database, [], [{ ...found, after }]));
      try {
        expect(await counting.gateway.rows(query, { p: 3, name: 'none' })).toBe(0);
        expect(await counting.gateway.rows(query, { p: 3, name: 'saw' })).toBe(1);
      } finally {
        await counting.close();
      }
      expect((await tables()).logs).toEqual([['update', 'saw', null]]);
    });

    test('for an upsert, those on inserts or updates', async () => {
      await rows('Items.upsert()', { id: 1, name: 'new' });
      expect((await tables()).logs.map(([action]) => action)).toEqual(['upsert', 'upsert']);
    });

    test('under a view that filters its rows', async () => {
      const shown = { name: 'default', entities: [{ name: 'Items', readExp: 'price < 50' }] };
      const viewing = startWorker(documentOf(database, [shown]));
      try {
        const item = { id: 2, name: 'axe', price: 2.5 };
        expect(await viewing.gateway.rows('Items.insert()', { name: 'axe', price: 2.5 })).toEqual(
          item,
        );
        expect(await viewing.gateway.rows('Items.update()', { id: 2, name: 'saw 2' })).toBe(1);
      } finally {
        await viewing.close();
      }
      expect(await tables()).toMatchObject({ items: ['saw', 'saw 2'], logs: { length: 4 } });
    });

    test('once for a list', async () => {
      await rows('Items.bulkInsert()', [{ name: 'a' }, { name: 'b' }]);
      expect((await tables()).logs).toEqual([
        ['insert', 'Items.bulkInsert()', null],
        ['insert', null, null],
      ]);
    });

    test('but not if there is nothing to write', async () => {
      expect(await rows('Items.bulkInsert()', [])).toEqual([]);
      expect((await tables()).logs).toEqual([]);
    });

    test('but not for writes of a listener', async () => {
      expect(await failure('Logs.insert()', { what: 'x' })).toMatchObject({
        code: 'listener-failed',
        detail: "Listener 'echo' (before) stopped the request: it is false.",
      });
      await rows('Items.insert()', { name: 'axe' });
      expect((await tables()).logs.length).toBe(2);
    });
  });

  describe('nothing is written', () => {
    const stopped = async (query: string, data: unknown, detail: string) => {
      expect(await failure(query, data)).toMatchObject({ code: 'listener-failed', detail });
      const { items, logs } = await tables();
      expect(items).toEqual(['saw']);
      // After the rollback, only the listener for failures has written.
      expect(logs).toEqual([[expect.any(String), `listener-failed: ${detail}`, null]]);
    };

    test('if one before it is false', () =>
      stopped(
        'Items.insert()',
        { name: 'forbidden' },
        "Listener 'guard' (before) stopped the request: it is false.",
      ));

    test('if one after it fails in the database or in Rowgate', () =>
      stopped(
        'Items.insert()',
        { name: 'full' },
        "Listener 'full' (after) stopped the request: Listener 'full' cannot be evaluated: A power is too large.",
      ));

    test("if the database refuses a listener's write", async () => {
      await database.sql('ALTER TABLE Logs ADD CONSTRAINT short CHECK (length(what) < 20)');
      try {
        expect(await failure('Items.insert()', { name: 'a long name of it' })).toMatchObject({
          code: 'listener-failed',
          detail: expect.stringContaining("Listener 'audit' (after) stopped the request"),
        });
        expect((await tables()).items).toEqual(['saw']);
      } finally {
        await database.sql('ALTER TABLE Logs DROP CONSTRAINT short');
      }
    });
  });

  describe('a failure runs its listeners', () => {
    test('after the rollback, in a separate transaction', async () => {
      const problem = await failure('Items.insert()', { name: 'saw' });
      expect(problem).toMatchObject({ code: 'unique-violation' });
      expect((await tables()).logs).toEqual([
        ['insert', expect.stringMatching(/^unique-violation: Another row of entity Items/), null],
      ]);
    });

    test('also if the data is refused', async () => {
      expect(await failure('Items.insert()', {})).toMatchObject({ code: 'constraint-unmet' });
      expect((await tables()).logs).toMatchObject([['insert', expect.any(String), null]]);
    });

    test('and a failing listener does not change the answer', async () => {
      await database.sql(`INSERT INTO Items (name) VALUES ('clumsy')`);
      const problem = await failure('Items.insert()', { name: 'clumsy' });
      expect(problem).toMatchObject({ code: 'unique-violation' });
    });
  });

  describe('in a transaction', () => {
    test('the listeners of each step run, all in one transaction', async () => {
      const steps = [
        ['Items.insert()', { name: 'axe' }],
        ['Items.filter(p=>p.id==1).map(p=>p.name)', { loud: true }],
        ['Items.delete()', { id: 1 }],
      ] as const;
      expect(await worker.gateway.answers(steps)).toMatchObject([
        { name: 'axe' },
        [{ name: 'saw' }],
        1,
      ]);
      const { items, logs } = await tables();
      expect(items).toEqual(['axe']);
      expect(logs.map(([action]) => action)).toEqual([
        'insert',
        'insert',
        'select',
        'select',
        'delete',
        'delete',
      ]);
    });

    test('a listener of a later step undoes the earlier steps', async () => {
      const steps = [
        ['Items.insert()', { name: 'axe' }],
        ['Items.insert()', { name: 'full' }],
      ] as const;
      await expect(worker.gateway.answers(steps)).rejects.toMatchObject({
        problem: { code: 'listener-failed', step: 1 },
      });
      const { items, logs } = await tables();
      expect(items).toEqual(['saw']);
      expect(logs).toEqual([['insert', expect.stringMatching(/^listener-failed: /), null]]);
    });
  });

  describe('a read runs its listeners', () => {
    test('before and after', async () => {
      const query = 'Items.filter(p=>p.id==id).map(p=>p.name)';
      expect(await rows(query, { id: 1, loud: true })).toEqual([{ name: 'saw' }]);
      expect((await tables()).logs).toEqual([
        ['select', 'read', null],
        ['select', 'was read', null],
      ]);
    });

    test('for each of many concurrent requests', async () => {
      const query = 'Items.filter(p=>p.id==id).map(p=>p.name)';
      const all = Array.from({ length: 10 }, (_, i) => rows(query, { id: 1, loud: i % 2 === 0 }));
      expect(new Set((await Promise.all(all)).map((each) => JSON.stringify(each))).size).toBe(1);
      expect((await tables()).logs.length).toBe(10);
    });

    test('and can be stopped', async () => {
      expect(await failure('Items', { closed: true })).toMatchObject({ code: 'listener-failed' });
      expect(await rows('Items.count()', {})).toEqual([{ count: 1 }]);
    });
  });

  describe('the steps of a transaction run their listeners', () => {
    const insert = (name: string) => ['Items.insert()', { name }] as const;

    test('in that transaction, including those of reads', async () => {
      const read = ['Items.filter(p=>p.id==id).map(p=>p.name)', { id: 1, loud: true }] as const;
      await worker.gateway.transact([insert('axe'), read, insert('top')]);
      expect((await tables()).logs.map(([, what]) => what)).toEqual([
        'Items.insert()',
        'after axe',
        'read',
        'was read',
        'Items.insert()',
        'after top',
      ]);
    });

    test('and their writes are rolled back with it, except those for the failure', async () => {
      const failing = worker.gateway.transact([insert('axe'), insert('saw')]);
      const problem = { code: 'unique-violation', step: 1 };
      await expect(failing).rejects.toMatchObject({ problem });
      expect(await tables()).toEqual({
        items: ['saw'],
        logs: [['insert', expect.stringMatching(/^unique-violation: /), null]],
      });
    });

    test('once if a key makes the steps run once', async () => {
      const requestKey = { key: 'k', fingerprint: 'f' };
      const first = await worker.gateway.transact([insert('axe')], { requestKey });
      const again = await worker.gateway.transact([insert('axe')], { requestKey });
      expect(again.text).toBe(first.text);
      expect((await tables()).logs).toHaveLength(2);
    });
  });
}
