/** What writes under views do not reveal, on both databases. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onMariadb, onPostgresql, type Server } from '../random/drive/database.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Answer, post, type Program, runCommand, startProgram } from '../support/program.js';

const id = { name: 'id', type: 'integer' };

const domain = {
  entities: [
    {
      name: 'Customers',
      primaryKey: ['tenant', 'id'],
      properties: [{ name: 'tenant', type: 'integer' }, id, { name: 'country', length: 20 }],
    },
    {
      name: 'Orders',
      primaryKey: ['id'],
      properties: [
        id,
        { name: 'tenant', type: 'integer', default: 1 },
        { name: 'customerId', type: 'integer' },
        { name: 'note', length: 20 },
      ],
      relations: [
        {
          name: 'customer',
          from: ['tenant', 'customerId'],
          entity: 'Customers',
          to: ['tenant', 'id'],
          target: 'orders',
        },
      ],
    },
    {
      name: 'Stores',
      primaryKey: ['id'],
      properties: [id, { name: 'open', type: 'boolean' }],
    },
    {
      name: 'Parcels',
      primaryKey: ['id'],
      properties: [
        id,
        { name: 'hint', type: 'integer' },
        { name: 'storeId', type: 'integer', default: 'hint' },
      ],
      relations: [{ name: 'store', from: 'storeId', entity: 'Stores', to: 'id' }],
    },
    {
      name: 'Safes',
      primaryKey: ['id'],
      uniqueKey: ['storeId'],
      properties: [
        { ...id, autoIncrement: true },
        { name: 'storeId', type: 'integer' },
        { name: 'size', type: 'integer' },
      ],
      relations: [{ name: 'store', from: 'storeId', entity: 'Stores', to: 'id' }],
    },
    {
      name: 'People',
      primaryKey: ['id'],
      uniqueKey: ['email'],
      properties: [
        id,
        { name: 'email', length: 40 },
        { name: 'tier', length: 20, default: 'gold' },
      ],
    },
    {
      name: 'Groups',
      primaryKey: ['id'],
      properties: [id, { name: 'least', type: 'integer' }],
    },
    {
      name: 'Members',
      primaryKey: ['id'],
      properties: [
        id,
        { name: 'groupId', type: 'integer' },
        { name: 'mood', length: 20 },
        { name: 'size', type: 'integer' },
      ],
      relations: [
        { name: 'group', from: 'groupId', entity: 'Groups', to: 'id', target: 'members' },
      ],
    },
    {
      name: 'Visits',
      primaryKey: ['id'],
      properties: [
        id,
        { name: 'memberId', type: 'integer' },
        { name: 'state', length: 20 },
        { name: 'size', length: 20 },
      ],
      relations: [{ name: 'member', from: 'memberId', entity: 'Members', to: 'id' }],
    },
    {
      name: 'Ranks',
      primaryKey: ['id'],
      properties: [id, { name: 'title', length: 20 }, { name: 'amount', type: 'integer' }],
    },
    { name: 'Secrets', primaryKey: ['id'], properties: [id, { name: 'word', length: 20 }] },
    {
      name: 'Agents',
      primaryKey: ['id'],
      properties: [
        id,
        { name: 'secretId', type: 'integer' },
        { name: 'word', length: 20, readOnly: true, readExp: 'secret.word' },
      ],
      relations: [{ name: 'secret', from: 'secretId', entity: 'Secrets', to: 'id' }],
    },
    { name: 'Days', primaryKey: ['id'], properties: [id, { name: 'day', type: 'date' }] },
    {
      name: 'Papers',
      primaryKey: ['id'],
      properties: [
        id,
        { name: 'open', type: 'boolean' },
        { name: 'body', type: 'json' },
        { name: 'tags', type: 'string[]' },
        { name: 'day', type: 'date' },
      ],
      relations: [{ name: 'next', from: 'id', entity: 'Papers', to: 'id', weak: true }],
    },
    { name: 'Notes', primaryKey: ['id'], properties: [id] },
    {
      name: 'Hidden',
      primaryKey: ['id'],
      properties: [id, { name: 'must', length: 5, required: true }],
    },
  ],
};

const views = [
  { name: 'default' },
  {
    name: 'narrow',
    entities: [
      {
        name: 'Customers',
        readExp: 'country == "Spain"',
        properties: [{ name: 'tenant', exclude: true }],
      },
      { name: 'Orders', properties: [{ name: 'tenant', exclude: true }] },
      { name: 'Stores', readExp: 'open == true' },
      { name: 'Safes', readExp: 'size < 10' },
      {
        name: 'People',
        properties: [
          { name: 'id', readExp: '0' },
          { name: 'email', readExp: '"e"' },
          { name: 'tier', readExp: '"none"' },
        ],
      },
      {
        name: 'Groups',
        readExp: 'p=>p.members.sort(m=>abs(m.size-p.least)).first(m=>m.mood)=="ok"',
      },
      { name: 'Visits', readExp: 'state == "open"' },
      { name: 'Days', readExp: 'day < date("2020-02-29T00:00:00.000Z")' },
      { name: 'Papers', readExp: 'next.open == true' },
      { name: 'Hidden', exclude: true },
      { name: 'Secrets', exclude: true },
      {
        name: 'Ranks',
        properties: [
          { name: 'id', exclude: true },
          { name: 'title', readExp: 'upper(title)' },
          { name: 'amount', readExp: 'amount+0' },
        ],
      },
    ],
  },
];

const listeners = [
  {
    name: 'copy',
    on: ['insert'],
    condition: 'entity=="Notes"',
    before: 'Hidden.insert({id:data.id})',
  },
];

const rows = {
  entities: [
    {
      entity: 'Customers',
      rows: [
        { tenant: 1, id: 1, country: 'Spain' },
        { tenant: 1, id: 2, country: 'France' },
      ],
    },
    { entity: 'Orders', rows: [{ id: 1, tenant: 1, customerId: 1, note: 'a' }] },
    {
      entity: 'Stores',
      rows: [
        { id: 1, open: true },
        { id: 2, open: false },
      ],
    },
    { entity: 'Safes', rows: [{ storeId: 1, size: 50 }] },
    {
      entity: 'Visits',
      rows: [
        { id: 1, memberId: 1, state: 'open', size: 'ok' },
        { id: 2, memberId: 1, state: 'ok', size: 'open' },
      ],
    },
    {
      entity: 'Ranks',
      rows: [
        { id: 1, title: 'c', amount: 3 },
        { id: 2, title: 'b', amount: 2 },
        { id: 3, title: 'd', amount: 1 },
      ],
    },
    { entity: 'Secrets', rows: [{ id: 1, word: 'swordfish' }] },
    {
      entity: 'Papers',
      rows: [{ id: 1, open: true, body: { a: 'x' }, tags: ['y'], day: '2020-02-29' }],
    },
    { entity: 'Days', rows: [{ id: 1, day: '2019-01-01' }] },
    { entity: 'Groups', rows: [{ id: 1, least: 10 }] },
    {
      entity: 'Members',
      rows: [
        { id: 1, groupId: 1, mood: 'ok', size: 10 },
        { id: 2, groupId: 1, mood: 'bad', size: 50 },
      ],
    },
  ],
};

/** Adds a hidden row with JSON, and on PostgreSQL a day, that the database can store, but not read the parts of. */
const unreadable: Readonly<Record<string, readonly string[]>> = {
  PostgreSQL: [
    'ALTER TABLE Papers ALTER COLUMN body TYPE json',
    String.raw`INSERT INTO Papers (id, open, body, day) VALUES (2, false, '{"a":"\u0000"}', '300000-01-01')`,
  ],
  MariaDB: [
    'ALTER TABLE Papers MODIFY body LONGTEXT, MODIFY tags LONGTEXT',
    `INSERT INTO Papers (id, open, body, tags) VALUES (2, false, '{"a', '["b')`,
  ],
};

function suite({ create, dialect }: Server): void {
  let program: Program;
  let drop: () => Promise<void>;
  const folder = makeTemporaryDirectory();

  beforeAll(async () => {
    const database = await create();
    drop = () => database.drop();
    const file = join(folder, 'schema.json');
    const { source } = database;
    const sources = [{ name: 'default', ...source }];
    const schema = { domain, application: { listeners }, infrastructure: { sources, views } };
    writeFileSync(file, JSON.stringify(schema));
    expect(await runCommand(['push', '--schema', file])).toMatchObject({ code: 0 });
    program = await startProgram(['--schema', file, '--workers', '1']);
    const imported = await post(program, '/stages/default/import', rows);
    expect(imported.status, imported.text).toBe(200);
    // A property that is read from related rows cannot be answered by a write.
    await database.rows('INSERT INTO Agents (id, secretId) VALUES (1, 1)');
    for (const sql of unreadable[dialect] ?? []) await database.rows(sql);
  });

  afterAll(async () => {
    await program.stop();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const under = (query: string, data: unknown): Promise<Answer> =>
    post(program, '/execute', { query, data, options: { view: 'narrow' } });

  /** The answer without the id of the request. */
  const told = ({ status, text }: Answer) => [status, text.replace(/"requestId":"[^"]*"/, '')];

  test.each([
    ['Orders.insert()', { id: 5, customerId: 2 }, { id: 5, customerId: 9 }],
    ['Orders.update()', { id: 1, customerId: 2 }, { id: 1, customerId: 9 }],
    ['Orders.upsert()', { id: 1, customerId: 2 }, { id: 1, customerId: 9 }],
    ['Orders.update(p=>({customerId: c})).filter(p=>p.id==1)', { c: 2 }, { c: 9 }],
    ['Parcels.insert()', { id: 5, hint: 2 }, { id: 5, hint: 9 }],
    ['Parcels.upsert()', { id: 6, hint: 2 }, { id: 6, hint: 9 }],
  ])('%s answers a reference to a hidden row like one to a missing row', async (...of) => {
    const [query, hidden, missing] = of;
    const answer = told(await under(query, hidden));
    expect(answer[0]).toBe(409);
    expect(answer).toEqual(told(await under(query, missing)));
  });

  test('a key that refers to a missing row is told from the key of a hidden row', async () => {
    const codeOf = async (data: unknown): Promise<unknown> =>
      JSON.parse((await under('Safes.upsert()', data)).text).code;
    expect(await codeOf({ storeId: 9, size: 1 })).toBe('foreign-key-violation');
    expect(await codeOf({ storeId: 1, size: 1 })).toBe('unique-violation');
  });

  test('references to visible rows are stored', async () => {
    expect((await under('Orders.update()', { id: 1, customerId: 1 })).status).toBe(200);
    expect((await under('Orders.update()', { id: 1, note: 'b' })).status).toBe(200);
    expect((await under('Parcels.insert()', { id: 7, hint: 1 })).status).toBe(200);
  });

  test('no stored value is answered if the view reads another one', async () => {
    const answer = await under('People.insert()', { id: 3, email: 'n@x' });
    if (dialect === 'PostgreSQL')
      expect(JSON.parse(answer.text)).toEqual({ id: 0, email: 'e', tier: 'none' });
    else expect(JSON.parse(answer.text)).toMatchObject({ code: 'unsupported' });
  });

  test('the values of the view and those of an update are not confused', async () => {
    // In another order, these values would select the hidden row.
    const query = 'Visits.update(p=>({size: "x"})).filter(p=>p.member.mood==mood && p.size==size)';
    expect((await under(query, { mood: 'ok', size: 'open' })).text).toBe('0');
    expect((await under(query, { mood: 'ok', size: 'ok' })).text).toBe('1');
  });

  test('dates in the condition of a view are compared in writes', async () => {
    expect((await under('Days.update()', { id: 1, day: '2019-02-01' })).text).toBe('1');
    const answer = await under('Days.update()', { id: 1, day: '2020-02-29' });
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'row-outside-view' });
  });

  test.each([
    'Papers.filter(p=>p.body.a=="x")',
    'Papers.filter(p=>p.body.a!="z")',
    'Papers.filter(p=>p.tags[0]=="y" && p.body.a=="x")',
    'Papers.filter(p=>(p.day+"")!="z")',
    'Papers.filter(p=>p.next.body.a=="x")',
  ])('%s does not fail on a hidden row', async (query) => {
    expect((await under(`${query}.map(p=>p.id)`, {})).text).toBe('[{"id":1}]');
  });

  test('an update cannot hide its row, even by the order of related rows', async () => {
    const answer = await under('Groups.update(p=>({least: 49})).filter(p=>p.id==1)', {});
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'row-outside-view' });
  });

  test('limited rows are sorted by what is visible', async () => {
    const titles = async (query: string) =>
      JSON.parse((await under(query, {})).text).map(({ title }: { title: string }) => title);
    expect(await titles('Ranks.first()')).toEqual(['B']);
    expect(await titles('Ranks.last()')).toEqual(['D']);
    expect(await titles('Ranks.page(1, 3)')).toEqual(['B', 'C', 'D']);
  });

  test('an expression of the domain reads an entity that the view excludes', async () => {
    const [agent] = JSON.parse((await under('Agents.map(p=>p.word)', {})).text);
    expect(agent).toEqual({ word: 'swordfish' });
  });

  test('the reason of a listener is not told', async () => {
    const { status, text } = await under('Notes.insert()', { id: 8 });
    expect(status).toBe(422);
    expect(text).toContain("Listener 'copy' (before) stopped the request.");
    expect(text).not.toMatch(/Hidden|must/);
    const whole = await post(program, '/execute', {
      query: 'Notes.insert()',
      data: { id: 8 },
    });
    expect(whole.text).toContain('must');
  });

  test.each([
    [{ readExp: 'p=>p.id > limit ? 0 : 1' }, "It uses 'limit', which is not a property."],
    [{ writeExp: 'p=>p.size + limit' }, "It uses 'limit', which is not a property."],
    [{ writeExp: 'other.size' }, "It reads 'size', but a writeExp can read only 'size' itself."],
  ])('%j is refused at the start', async (expression, message) => {
    const properties = [id, { name: 'size', type: 'integer', ...expression }];
    const relations = [{ name: 'other', from: 'id', entity: 'Sizes', to: 'id', weak: true }];
    const entities = [{ name: 'Sizes', primaryKey: ['id'], properties, relations }];
    const sources = [{ name: 'default', dialect, connection: {} }];
    const file = join(folder, 'invalid.json');
    writeFileSync(file, JSON.stringify({ domain: { entities }, infrastructure: { sources } }));
    const { code, stdout, stderr } = await runCommand(['check', '--schema', file]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(message);
  });
}

describe('on PostgreSQL', () => {
  suite(onPostgresql);
});

describeMariadb('views', () => {
  suite(onMariadb);
});
