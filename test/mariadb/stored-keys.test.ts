/** Rows that are read again after their INSERT are found by the keys that the database has stored. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DialectName } from '../../src/engine/index.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { startWorker, type TestWorker } from '../workers/test-worker.js';

/** The columns of keys, a given value, and the stored one as it is answered. */
const keys = [
  ['At', 'datetime', 'dateTime', '2024-01-01T00:00:00.5Z', '2024-01-01T00:00:00.000Z'],
  ['Approximate', 'float', 'number', 0.1, 0.1],
  ['Time', 'time', 'time', '10:00:00.5', '10:00:00'],
  ['Fixed', 'char(5)', 'string', 'cd ', 'cd'],
  ['Bytes', 'binary(4)', 'binary', 'AAEC', 'AAECAA=='],
  ['Flags', "set('a','b')", 'string', 'b,a', 'a,b'],
] as const;

const tables = [
  'CREATE TABLE Parent (k uuid PRIMARY KEY DEFAULT uuid(), v int)',
  `CREATE TABLE Child (id int AUTO_INCREMENT PRIMARY KEY, pk uuid, n int,
    FOREIGN KEY (pk) REFERENCES Parent (k))`,
  'CREATE TABLE Moved (id int AUTO_INCREMENT PRIMARY KEY, a int)',
  'CREATE TABLE Padded (id int(8) ZEROFILL AUTO_INCREMENT PRIMARY KEY, a int)',
  'CREATE TABLE Dated (id int AUTO_INCREMENT, code varchar(9), a int, PRIMARY KEY (id, code))',
  'CREATE TABLE Coded (code varchar(9) UNIQUE, a int)',
  'CREATE TABLE Undeclared (id int AUTO_INCREMENT PRIMARY KEY, a int)',
  'CREATE TABLE MovedChild (id int AUTO_INCREMENT PRIMARY KEY, movedId int, n int)',
  `CREATE TRIGGER moves BEFORE INSERT ON Moved FOR EACH ROW
    SET NEW.id = IF(NEW.a = 15, 500, NEW.id)`,
  ...keys.map(([name, type]) => `CREATE TABLE ${name} (k ${type} PRIMARY KEY, v int)`),
];

let database: MariadbDatabase;
let worker: TestWorker;
const sql = (text: string) => database.withClient((client) => client.query(text));

function start(dialect: DialectName): void {
  beforeAll(async () => {
    database = await createMariadbDatabase();
    for (const table of tables) await sql(table);
    worker = startWorker(documentOf(database.connection, dialect), { connectionsPerSource: 1 });
  });
  beforeEach(async () => {
    await sql('DELETE FROM Child');
    for (const table of ['Parent', 'MovedChild', 'Moved', 'Coded'])
      await sql(`DELETE FROM ${table}`);
    await sql('ALTER TABLE Moved AUTO_INCREMENT = 1');
  });
  afterAll(async () => {
    await worker.close();
    await database.drop();
  });
}

const rows = (query: string, data?: unknown) => worker.gateway.rows(query, data);

/** What both dialects do with a null in the only key. */
function nullKeys(): void {
  test('a row with null in its only key is answered as it was sent', async () => {
    expect(await rows('Coded.insert()', { code: 'x', a: 1 })).toEqual({ code: 'x', a: 1, w: 2 });
    const answer = [null, null].map((code, at) => ({ code, a: at + 2, w: null }));
    expect(await rows('Coded.insert()', { code: null, a: 2 })).toEqual(answer[0]);
    const given = answer.map(({ code, a }) => ({ code, a }));
    expect(await rows('Coded.bulkInsert()', given)).toEqual(answer);
    expect(await sql('SELECT a FROM Coded WHERE code IS NULL')).toHaveLength(3);
  });

  test('so is a number that was sent as a text, but as JSON has it', async () => {
    const answer = { code: null, a: 7, w: null };
    expect(await rows('Coded.insert()', { code: null, a: '+007' })).toEqual(answer);
  });
}

/** What both dialects do with a key of which the database makes a part. */
function partlyGeneratedKeys(): void {
  test('a key of which only one column is generated is answered', async () => {
    const [first, second] = [
      { code: 'x', a: 1 },
      { code: 'x', a: 2 },
    ];
    expect(await rows('Dated.insert()', first)).toEqual({ id: 1, ...first, w: 2 });
    expect(await rows('Dated.bulkInsert()', [first, second])).toEqual([
      { id: 2, ...first, w: 2 },
      { id: 3, ...second, w: 3 },
    ]);
    expect(await rows('Dated.insert()', { id: 9, ...first })).toEqual({ id: 9, ...first, w: 2 });
    expect(await rows('Dated.insert()', { a: 3 })).toEqual({ id: 10, code: 'new', a: 3, w: 4 });
  });
}

describeMariadb('on MariaDB', () => {
  start('MariaDB');

  // It comes first, because a statement is prepared once.
  test('a key of type UUID is found on a connection that has stored a number before', async () => {
    expect(await rows('Moved.insert()', { a: 1 })).toMatchObject({ id: 1 });
    const k = '2f0dd9f2-5e4a-4b7c-8d43-0c3e4c5d6e71';
    expect(await rows('Parent.insert()', { k, v: 5 })).toEqual({ k, v: 5, w: 6 });
  });

  test('a key that a default makes is answered, and given to the included rows', async () => {
    const data = { v: 5, kids: [{ n: 1 }, { n: 2 }] };
    const answer = await rows('Parent.insert().include(p=>p.kids)', data);
    const [{ k }] = await sql('SELECT k FROM Parent');
    const kids = [1, 2].map((n) => ({ id: expect.any(Number), pk: k, n }));
    expect(answer).toEqual({ k, v: 5, w: 6, kids });
    expect(await sql('SELECT DISTINCT pk FROM Child')).toMatchObject([{ pk: k }]);
  });

  test('a key that a default makes is given to the row that refers to it', async () => {
    const answer = await rows('Child.insert().include(p=>p.parent)', { n: 9, parent: { v: 8 } });
    const [{ k }] = await sql('SELECT k FROM Parent');
    expect(answer).toMatchObject({ pk: k, n: 9, parent: { k, v: 8, w: 9 } });
    expect(await sql('SELECT pk FROM Child')).toMatchObject([{ pk: k }]);
  });

  test('a key that a trigger sets is answered, and given to the included rows', async () => {
    expect(await rows('Moved.insert()', { a: 1 })).toEqual({ id: 1, a: 1, w: 2 });
    const data = { a: 15, kids: [{ n: 1 }] };
    const kids = [{ id: expect.any(Number), movedId: 500, n: 1 }];
    expect(await rows('Moved.insert().include(p=>p.kids)', data)).toEqual({
      ...{ id: 500, a: 15, w: 16 },
      kids,
    });
    expect(await sql('SELECT movedId FROM MovedChild')).toMatchObject([{ movedId: 500 }]);
  });

  test('the rows of a list are answered in its order, also if a trigger sets a key', async () => {
    const given = [1, 2, 15, 3].map((a) => ({ a }));
    const ids = [1, 2, 500, 501];
    const expected = given.map(({ a }, at) => ({ id: ids[at], a, w: a + 1 }));
    expect(await rows('Moved.bulkInsert()', given)).toEqual(expected);
    const others = Array.from({ length: 1030 }, (_, at) => ({ a: 100 + at }));
    const stored = others.map(({ a }, at) => ({ id: 502 + at, a, w: a + 1 }));
    expect(await rows('Moved.bulkInsert()', others)).toEqual(stored);
  });

  test('generated keys with leading zeros are found', async () => {
    const expected = [1, 2, 3].map((id) => ({ id, a: id + 7, w: id + 8 }));
    const [first, ...others] = expected.map(({ a }) => ({ a }));
    expect(await rows('Padded.insert()', first)).toEqual(expected[0]);
    expect(await rows('Padded.bulkInsert()', others)).toEqual(expected.slice(1));
  });

  test.each(keys)('a key of %s is found as it is stored', async (name, _type, _own, given, k) => {
    expect(await rows(`${name}.insert()`, { k: given, v: 1 })).toEqual({ k, v: 1, w: 2 });
    expect(await rows(`${name}.upsert()`, { k: given, v: 2 })).toEqual({ k, v: 2, w: 3 });
  });

  nullKeys();
  partlyGeneratedKeys();

  test('a null for a key that the schema does not declare as generated is replaced', async () => {
    const first = await rows('Undeclared.insert()', { id: null, a: 1 });
    expect(first).toEqual({ id: expect.any(Number), a: 1 });
  });
});

describeMariadb('on MySQL', () => {
  start('MySQL');
  nullKeys();
  partlyGeneratedKeys();

  test.each([
    ['Parent.insert()', { k: null, v: 5 }],
    ['Undeclared.insert()', { id: null, a: 5 }],
    ['Undeclared.upsert()', { id: null, a: 5 }],
    ['Undeclared.bulkInsert()', [{ id: null, a: 5 }]],
  ])(
    'nothing is stored by %s if the schema does not say how a null key is made',
    async (query, data) => {
      await expect(rows(query, data)).rejects.toMatchObject({ problem: { code: 'unsupported' } });
      expect(await sql('SELECT v FROM Parent UNION SELECT a FROM Undeclared')).toHaveLength(0);
    },
  );

  test.each([
    ['Parent.insert()', { v: 5 }, 'data'],
    ['Parent.insert().include(p=>p.kids)', { v: 5, kids: [{ n: 1 }] }, 'data'],
    ['Child.insert().include(p=>p.parent)', { n: 9, parent: { v: 8 } }, 'data.parent'],
  ])('nothing is stored by %s if a default makes the key', async (query, data, place) => {
    const detail =
      "On MySQL, a new row of entity 'Parent' needs a value of 'k': the row cannot be found by a key that the database makes.";
    await expect(rows(query, data)).rejects.toMatchObject({
      problem: { code: 'unsupported', detail, place },
    });
    expect(await sql('SELECT v FROM Parent UNION SELECT n FROM Child')).toHaveLength(0);
  });

  test('no other row is answered, or gets the included rows, if a trigger sets the key', async () => {
    expect(await rows('Moved.insert()', { a: 1 })).toEqual({ id: 1, a: 1, w: 2 });
    const problem = {
      code: 'refused-by-database',
      detail: expect.stringMatching(/^A trigger or a rule .*, or stored them elsewhere\./),
      place: 'data',
    };
    const data = { a: 15, kids: [{ n: 1 }] };
    const included = rows('Moved.insert().include(p=>p.kids)', data);
    await expect(included).rejects.toMatchObject({ problem });
    expect(await sql('SELECT a FROM Moved UNION ALL SELECT n FROM MovedChild')).toMatchObject([
      { a: 1 },
    ]);
    await expect(rows('Moved.insert()', { a: 15 })).rejects.toMatchObject({ problem });
  });

  test.each([
    ['At', '2024-01-01T00:00:00.5Z'],
    ['Bytes', 'AAEC'],
  ])('the error says that a column may have changed a key of %s', async (name, k) => {
    await expect(rows(`${name}.insert()`, { k, v: 1 })).rejects.toMatchObject({
      problem: {
        code: 'refused-by-database',
        detail: expect.stringMatching(/ Or a column stores a given key differently, /),
      },
    });
  });

  test('a given key is given to the included rows', async () => {
    const k = '123e4567-e89b-42d3-a456-426614174000';
    const answer = await rows('Parent.insert().include(p=>p.kids)', { k, v: 5, kids: [{ n: 1 }] });
    expect(answer).toMatchObject({ k, v: 5, w: 6, kids: [{ pk: k, n: 1 }] });
  });
});

function documentOf(connection: MariadbDatabase['connection'], dialect: DialectName): unknown {
  const id = { name: 'id', type: 'integer', autoIncrement: true };
  const [v, n] = ['v', 'n'].map((name) => ({ name, type: 'integer' }));
  const w = (of: string) => ({ name: 'w', type: 'integer', view: true, readExp: `${of} + 1` });
  const kids = (from: string, entity: string, to: string) => [
    { name: 'kids', type: 'manyToOne', from, entity, to },
  ];
  const entities = [
    {
      name: 'Parent',
      primaryKey: ['k'],
      properties: [{ name: 'k', type: 'uuid', databaseDefault: true }, v, w('v')],
      relations: kids('k', 'Child', 'pk'),
    },
    {
      name: 'Child',
      primaryKey: ['id'],
      properties: [id, { name: 'pk', type: 'uuid' }, n],
      relations: [{ name: 'parent', type: 'oneToMany', from: 'pk', entity: 'Parent', to: 'k' }],
    },
    {
      name: 'Moved',
      primaryKey: ['id'],
      properties: [id, { name: 'a', type: 'integer' }, w('a')],
      relations: kids('id', 'MovedChild', 'movedId'),
    },
    {
      name: 'Padded',
      primaryKey: ['id'],
      properties: [id, { name: 'a', type: 'integer' }, w('a')],
    },
    {
      name: 'Undeclared',
      primaryKey: ['id'],
      properties: [
        { name: 'id', type: 'integer', databaseDefault: true },
        { name: 'a', type: 'integer' },
      ],
    },
    {
      name: 'Dated',
      primaryKey: ['id', 'code'],
      properties: [
        id,
        { name: 'code', length: 9, required: true, default: 'new' },
        { name: 'a', type: 'integer' },
        w('a'),
      ],
    },
    {
      name: 'Coded',
      uniqueKey: ['code'],
      properties: [{ name: 'code', length: 9 }, { name: 'a', type: 'integer' }, w('a')],
    },
    {
      name: 'MovedChild',
      primaryKey: ['id'],
      properties: [id, { name: 'movedId', type: 'integer' }, n],
    },
    ...keys.map(([name, , type]) => ({
      name,
      primaryKey: ['k'],
      properties: [{ name: 'k', type, required: true }, v, w('v')],
    })),
  ];
  return {
    domain: { version: '1.0.0', entities },
    infrastructure: {
      mappings: [{ name: 'default' }],
      sources: [{ name: 'default', dialect, mapping: 'default', connection }],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
    },
  };
}
