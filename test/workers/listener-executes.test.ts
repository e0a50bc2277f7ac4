/** Listeners that execute queries, as in lambdaorm: within the transaction, or after it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadSchema } from '../../src/engine/index.js';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { createThrowawayDatabase, withClient } from '../support/embedded.js';
import { startWorker, type TestWorker } from './test-worker.js';

const document = `
domain:
  version: 1.0.0
  entities:
    - name: Items
      primaryKey: [id]
      uniqueKey: [name]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: name, required: true, length: 20 }
        - { name: secret, length: 20, default: none }
    - name: Logs
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: what, length: 200, required: true }
infrastructure:
  mappings: [{ name: default }]
  sources:
    - { name: shop, dialect: PostgreSQL, mapping: default, connection: {} }
    - { name: insights, dialect: PostgreSQL, mapping: default, connection: {} }
  stages:
    - { name: default, sources: [{ name: shop }] }
    - { name: insights, sources: [{ name: insights }] }
    - { name: narrow, view: narrow, sources: [{ name: insights }] }
  views:
    - { name: default }
    - { name: narrow, entities: [{ name: Items, properties: [{ name: secret, exclude: true }] }] }
application:
  listeners:
    - name: syncInsights
      on: [insert, bulkInsert, update, delete]
      condition: options.stage.in("default","cqrs") && entity == "Items" && !isNotNull(data.aside)
      after: orm.execute(query,data,{stage:"insights"})
    - name: log
      on: [insert]
      condition: entity == "Items"
      before: 'orm.execute("Logs.insert()", {what: query})'
    - name: narrowed
      on: [insert]
      condition: data.aside == "narrow"
      after: 'orm.execute(query, data, {stage: "narrow"})'
    - name: viewed
      on: [insert]
      condition: data.aside == "view"
      after: 'orm.execute(expression, data, {stage: "insights", view: "narrow"})'
    - name: silent
      on: [insert, select]
      after: 'queue.send("topic", [{expression: expression, data: data}])'
    - name: reads
      on: [select]
      condition: data.loud
      after: 'orm.execute("Logs.insert()", {what: "was read", at: [1, true, null]}, {stage: "insights"})'
    - name: mirrored
      on: [select]
      before: 'orm.execute(query, data, {stage: "insights"})'
    - name: failures
      on: [insert]
      error: 'orm.execute("Logs.insert()", {what: error.code}, {stage: "insights"})'
`;

let worker: TestWorker;
const databases = new Map<string, EmbeddedConnection>();
const drops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const own = parse(document);
  for (const source of own.infrastructure.sources) {
    const { connection, drop } = await createThrowawayDatabase();
    drops.push(drop);
    source.connection = connection;
    databases.set(source.name, connection);
  }
  await push({ schema: loadSchema(own), dryRun: false, say: () => undefined });
  worker = startWorker(own);
});
afterAll(async () => {
  await worker.close();
  for (const drop of drops) await drop();
});
beforeEach(async () => {
  for (const name of databases.keys()) {
    await sql(name, 'TRUNCATE Items, Logs RESTART IDENTITY');
  }
});

async function sql(source: string, text: string): Promise<readonly unknown[][]> {
  const connection = databases.get(source);
  if (!connection) throw new Error(`no database ${source}`);
  return withClient(connection, async (client) => {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows;
  });
}

const items = (source: string) => sql(source, 'SELECT name, secret FROM Items ORDER BY id');
const logs = async (source: string) =>
  (await sql(source, 'SELECT what FROM Logs ORDER BY id')).flat();
const rows = (query: string, data?: unknown) => worker.gateway.rows(query, data);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: { readonly problem: unknown }) => error.problem,
  );

describe('a query is executed', () => {
  test('in another stage, for inserts, updates and deletes', async () => {
    await rows('Items.bulkInsert()', [{ name: 'saw' }, { name: 'axe', secret: 's' }]);
    await rows('Items.update({name: name}).filter(p=>p.id==1)', { name: 'hammer' });
    await rows('Items.delete()', { id: 2 });
    expect(await items('shop')).toEqual([['hammer', 'none']]);
    expect(await items('insights')).toEqual([['hammer', 'none']]);
    // It runs in the transaction of the request, and no listener runs for the executed query.
    expect(await logs('shop')).toEqual(['Items.bulkInsert()']);
    expect(await logs('insights')).toEqual([]);
  });

  test.each(['narrow', 'view'])(
    'under the view of the stage, or one that is named: %s',
    async (aside) => {
      await rows('Items.insert()', { name: 'saw', secret: 's', aside });
      expect(await items('shop')).toEqual([['saw', 's']]);
      expect(await items('insights')).toEqual([['saw', 'none']]);
    },
  );

  test('after a transaction has been committed, but not if it is rolled back', async () => {
    const insert = (name: string) => ['Items.insert()', { name }] as const;
    await worker.gateway.transact([insert('saw'), insert('axe')]);
    expect(await items('insights')).toEqual(await items('shop'));
    const problem = await failure(worker.gateway.transact([insert('top'), insert('saw')]));
    expect(problem).toMatchObject({ code: 'unique-violation', step: 1 });
    expect((await items('insights')).length).toBe(2);
    expect(await logs('shop')).toEqual(['Items.insert()', 'Items.insert()']);
    expect(await logs('insights')).toEqual(['unique-violation']);
  });

  test('for a read, without using the rows that it reads', async () => {
    expect(await rows('Items.map(p=>p.name)', { loud: true })).toEqual([]);
    expect(await logs('insights')).toEqual(['was read']);
  });
});

describe('stored rows remain, and the answer says so', () => {
  const detail = expect.stringMatching(
    /^Stored: source 'shop' \(Items\)\. Not stored: source 'insights' \(Items\), by listener 'syncInsights' \(after\)\. /,
  );
  beforeEach(async () => {
    await sql('insights', `INSERT INTO Items (id, name) VALUES (100, 'taken')`);
  });

  test('of a write', async () => {
    const problem = await failure(rows('Items.insert()', { name: 'taken' }));
    expect(problem).toMatchObject({ code: 'stored-in-part', detail });
    expect(await items('shop')).toEqual([['taken', 'none']]);
    // Not everything was rolled back, so the listeners for failures do not run.
    expect(await logs('insights')).toEqual([]);
  });

  test('of a write under a view, which hides what listeners write, and why it failed', async () => {
    const written = worker.gateway.rows('Items.insert()', { name: 'taken' }, 'narrow');
    const detail =
      "Stored: source 'shop' (Items). Not stored: what is written, by listener 'syncInsights' (after).";
    expect(await failure(written)).toMatchObject({ code: 'stored-in-part', detail });
  });

  test('of a transaction, whose other parts are stored in both', async () => {
    const steps = ['a', 'taken', 'b'].map((name) => ['Items.insert()', { name }] as const);
    const problem = await failure(worker.gateway.transact(steps));
    expect(problem).toMatchObject({ code: 'stored-in-part' });
    expect((await items('shop')).length).toBe(3);
    expect(await items('insights')).toEqual(
      expect.arrayContaining([
        ['a', 'none'],
        ['b', 'none'],
      ]),
    );
  });
});

describe('a schema does not load', () => {
  test.each([
    ['orm.execute()', 'takes a query'],
    ['orm.execute(data)', "executes 'query'"],
    ['orm.execute(query, data, "insights")', 'are an object'],
    ['orm.execute(query, data, {level: 1})', "no option 'level'"],
    ['orm.execute(query, data, {stage: "none"})', "no stage 'none'"],
    ['orm.execute(query, data, {view: "none"})', "no view 'none'"],
    ['orm.execute(query, other)', "no name 'other'"],
    ['orm.execute(query, {a: lower(query)})', 'can contain only literals'],
    ['orm.execute("Items")', 'must write'],
    ['orm.execute("Nothing.insert()")', 'Nothing'],
  ])('%s', (after, detail) => {
    const own = parse(document);
    own.application.listeners = [{ name: 'own', on: ['insert'], after }];
    expect(() => loadSchema(own)).toThrow(detail);
  });
});
