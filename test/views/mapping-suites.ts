/** Suites for mappings, for any database. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { type Answer, ask, post, type Program, startProgram } from '../support/program.js';

/** An empty database for the suites. */
export interface MappedDatabase {
  readonly dialect: 'PostgreSQL' | 'MariaDB';
  readonly connection: unknown;
  /** The column definition of a generated key. */
  readonly madeKey: string;
  sql(text: string): Promise<readonly unknown[]>;
  stop(): Promise<void>;
}

/** The users of several realms in one table, as in an identity provider, and places by kind. */
const domain = {
  version: '1.0.0',
  entities: [
    {
      name: 'Places',
      abstract: true,
      primaryKey: ['kind', 'code'],
      properties: [
        { name: 'kind', length: 16, required: true },
        { name: 'code', length: 16, required: true },
        { name: 'title' },
      ],
    },
    { name: 'Countries', extends: 'Places', properties: [{ name: 'kind', key: 'country' }] },
    { name: 'Cities', extends: 'Places', properties: [{ name: 'kind', key: 'city' }] },
    {
      name: 'Users',
      primaryKey: ['name'],
      properties: [
        { name: 'name', required: true },
        { name: 'created', type: 'dateTime' },
        { name: 'email' },
      ],
    },
    {
      name: 'Notes',
      primaryKey: ['id'],
      properties: [
        { name: 'id', type: 'integer', autoIncrement: true },
        { name: 'author', required: true },
        { name: 'text' },
      ],
      relations: [
        { name: 'user', from: 'author', entity: 'Users', to: 'name', target: 'notes', weak: true },
      ],
    },
    {
      name: 'Tasks',
      primaryKey: ['id'],
      properties: [
        { name: 'id', type: 'integer', autoIncrement: true },
        { name: 'realm', length: 20 },
        { name: 'follows', type: 'integer' },
      ],
      relations: [{ name: 'earlier', from: 'follows', entity: 'Tasks', to: 'id' }],
    },
    {
      name: 'Steps',
      primaryKey: ['id'],
      properties: [
        { name: 'id', type: 'integer', required: true },
        { name: 'taskId', type: 'integer' },
      ],
      relations: [{ name: 'task', from: 'taskId', entity: 'Tasks', to: 'id', target: 'steps' }],
    },
    { name: 'Marks', properties: [{ name: 'realm', length: 20 }] },
    ...['Cats', 'Dogs'].map((name) => ({
      name,
      primaryKey: ['id'],
      properties: [{ name: 'id', type: 'integer', required: true }, { name: 'name' }],
    })),
  ],
};

const mappings = [
  {
    name: 'base',
    entities: [
      { name: 'Places', abstract: true, mapping: 'tbl_places' },
      { name: 'Countries', extends: 'Places' },
      { name: 'Cities', extends: 'Places' },
    ],
  },
  {
    name: 'default',
    extends: 'base',
    entities: [
      {
        name: 'Users',
        mapping: 'user_entity',
        filter: 'realm == "main"',
        properties: [
          { name: 'name', mapping: 'username' },
          { name: 'created', mapping: 'created_ms', readMappingExp: 'millisecondToDate(created)' },
          { name: 'email', readMappingExp: 'lower(trim(email))' },
          { name: 'realm', length: 20, mapping: 'realm_id' },
        ],
      },
      { name: 'Tasks', filter: 'realm == "main"' },
      { name: 'Marks', filter: 'realm == "main"' },
      { name: 'Cats', mapping: 'pets', properties: [{ name: 'kind', key: 'cat' }] },
      { name: 'Dogs', mapping: 'pets', properties: [{ name: 'kind', key: 'dog' }] },
    ],
  },
];

const tables = (madeKey: string): readonly string[] => [
  'CREATE TABLE tbl_places (kind varchar(16), code varchar(16), title varchar(80), PRIMARY KEY (kind, code))',
  'CREATE TABLE user_entity (username varchar(80) PRIMARY KEY, created_ms bigint, email varchar(80), realm_id varchar(20))',
  `CREATE TABLE Tasks (id int ${madeKey} PRIMARY KEY, realm varchar(20), follows int)`,
  'CREATE TABLE Steps (id int PRIMARY KEY, taskId int)',
  'CREATE TABLE Marks (realm varchar(20))',
  'CREATE TABLE pets (id int PRIMARY KEY, name varchar(80), kind varchar(80))',
  "INSERT INTO pets VALUES (1, 'Rex', 'dog')",
  "INSERT INTO Tasks VALUES (1, 'main', NULL), (2, 'other', NULL)",
  `CREATE TABLE Notes (id int ${madeKey} PRIMARY KEY, author varchar(80), text varchar(80))`,
  "INSERT INTO user_entity VALUES ('ann', 0, ' Ann@x.org ', 'main'), ('bob', 86400000, NULL, 'main'), ('eve', 1, 'e@x.org', 'other')",
  "INSERT INTO Notes (author, text) VALUES ('ann', 'one'), ('eve', 'two'), ('bob', 'three'), ('eve', 'four')",
  "INSERT INTO tbl_places VALUES ('country', 'x', 'Xland'), ('city', 'x', 'Xtown'), ('river', 'x', 'Xwater')",
];

/** Declares the suites for the database that `start` creates. */
export function describeMappings(start: () => Promise<MappedDatabase>): void {
  let database: MappedDatabase;
  let program: Program;
  const folder = makeTemporaryDirectory();
  beforeAll(async () => {
    database = await start();
    const { dialect, connection, madeKey } = database;
    for (const each of tables(madeKey)) await database.sql(each);
    const sources = [{ name: 'default', dialect, mapping: 'default', connection }];
    const file = join(folder, 'schema.json');
    writeFileSync(file, JSON.stringify({ domain, infrastructure: { mappings, sources } }));
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(async () => {
    await program.stop();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const execute = (query: string, data?: unknown): Promise<Answer> =>
    post(program, '/execute', { query, data });
  const jsonOf = async (query: string, data?: unknown): Promise<unknown> =>
    JSON.parse((await execute(query, data)).text);
  const stored = (text: string): Promise<readonly unknown[]> => database.sql(text);

  describe('the filter of a mapping', () => {
    it.each([
      ['Users.map(p=>p.name).sort(p=>p.name)', [{ name: 'ann' }, { name: 'bob' }]],
      ['Users.count()', [{ count: 2 }]],
      [
        'Users.map(p=>({n:p.notes.count(),name:p.name})).sort(p=>p.name)',
        [
          { n: 1, name: 'ann' },
          { n: 1, name: 'bob' },
        ],
      ],
      ['Notes.filter(p=>p.user.name==null).map(p=>p.id).sort(p=>p.id)', [{ id: 2 }, { id: 4 }]],
      [
        'Notes.map(p=>[p.id,p.user.email]).sort(p=>p.id).page(1,2)',
        [
          { id: 1, user_email: 'ann@x.org' },
          { id: 2, user_email: null },
        ],
      ],
      [
        'Notes.map(p=>p.id).include(p=>p.user.map(u=>u.name)).sort(p=>p.id).page(1,2)',
        [
          { id: 1, user: { name: 'ann' } },
          { id: 2, user: null },
        ],
      ],
      ['Users.filter(p=>p.name=="eve").update(p=>({email:"x"}))', 0],
      ['Users.filter(p=>exists(p.notes,n=>n.text=="two")).delete()', 0],
    ])('applies to %s', async (query, expected) => {
      expect(await jsonOf(query)).toEqual(expected);
    });

    it('can use columns that queries cannot', async () => {
      const answer = await execute('Users.map(p=>p.realm)');
      expect([answer.status, answer.json()]).toMatchObject([400, { code: 'unknown-property' }]);
      const described = await ask(program, '/entities/Users');
      expect(described.text).not.toContain('realm');
    });

    it('does not allow writes outside of it', async () => {
      expect(await jsonOf('Users.update()', { name: 'eve', email: 'x' })).toBe(0);
      const merged = await execute('Users.upsert()', { name: 'eve', email: 'x' });
      expect([merged.status, merged.json()]).toMatchObject([409, { code: 'unique-violation' }]);
      const inserted = await execute('Users.insert()', { name: 'new' });
      expect([inserted.status, inserted.json()]).toMatchObject([422, { code: 'row-outside-view' }]);
      const rows = "SELECT email FROM user_entity WHERE username IN ('eve', 'new')";
      expect(await stored(rows)).toEqual([{ email: 'e@x.org' }]);
    });
  });

  describe('an import of entities with a filter', () => {
    const imported = (entities: Readonly<Record<string, unknown>>) =>
      post(program, '/stages/default/import', {
        entities: Object.entries(entities).map(([entity, rows]) => ({ entity, rows })),
      });
    const tasks = 'SELECT id, realm, follows FROM Tasks ORDER BY id';

    it.each([
      [
        {
          Tasks: [
            { id: 10, realm: 'main' },
            { id: 11, realm: 'other' },
          ],
        },
        'entities[0].rows[1]',
      ],
      [{ Tasks: [{ id: 10 }, { id: 11, realm: 'main' }] }, 'entities[0].rows[0]'],
      [{ Tasks: [{ realm: 'main' }, { realm: 'other' }] }, 'entities[0].rows[1]'],
      [{ Tasks: [{ realm: 'other', steps: [{ id: 1 }] }] }, 'entities[0].rows[0]'],
      [{ Users: [{ name: 'new' }] }, 'entities[0].rows[0]'],
    ])('stores no row outside of it: %j', async (entities, place) => {
      const before = await stored(tasks);
      const answer = await imported(entities);
      expect([answer.status, answer.json()]).toMatchObject([
        422,
        { code: 'row-outside-view', place },
      ]);
      expect(await stored(tasks)).toEqual(before);
      expect(await stored('SELECT id FROM Steps')).toEqual([]);
      expect(await stored("SELECT username FROM user_entity WHERE username = 'new'")).toEqual([]);
    });

    it.each([
      [
        {
          Steps: [
            { id: 1, taskId: 1 },
            { id: 2, taskId: 2 },
          ],
        },
        'entities[0].rows[1].taskId',
      ],
      [{ Tasks: [{ id: 10, realm: 'main', follows: 2 }] }, 'entities[0].rows[0].follows'],
    ])('stores no reference to a row outside of it: %j', async (entities, place) => {
      const before = await stored(tasks);
      const answer = await imported(entities);
      expect([answer.status, answer.json()]).toMatchObject([
        409,
        { code: 'foreign-key-violation', place },
      ]);
      expect(await stored(tasks)).toEqual(before);
      expect(await stored('SELECT id FROM Steps')).toEqual([]);
    });

    it('is refused if rows have no key', async () => {
      const answer = await imported({ Marks: [{ realm: 'main' }] });
      expect([answer.status, answer.json()]).toMatchObject([422, { code: 'import-invalid' }]);
    });

    it('stores rows within it, which may refer to each other', async () => {
      const rows = [
        { id: 20, realm: 'main', follows: 21 },
        { id: 21, realm: 'main', follows: 1, steps: [{ id: 20 }] },
        { realm: 'main', steps: [{ id: 21 }] },
      ];
      const answer = await imported({ Tasks: rows, Steps: [{ id: 22, taskId: 1 }, { id: 23 }] });
      expect(answer.status, answer.text).toBe(200);
      expect(await jsonOf('Tasks.map(p=>[p.id,p.follows]).sort(p=>p.id)')).toEqual([
        { id: 1, follows: null },
        { id: 20, follows: 21 },
        { id: 21, follows: 1 },
        { id: 22, follows: null },
      ]);
      expect(await jsonOf('Steps.map(p=>p.taskId).sort(p=>p.id)')).toEqual([
        { taskId: 21 },
        { taskId: 22 },
        { taskId: 1 },
        { taskId: null },
      ]);
    });
  });

  describe('a readMappingExp', () => {
    it.each([
      [
        'Users.map(p=>[p.name,p.created]).sort(p=>p.name)',
        [
          { name: 'ann', created: '1970-01-01T00:00:00.000Z' },
          { name: 'bob', created: '1970-01-02T00:00:00.000Z' },
        ],
      ],
      ['Users.filter(p=>p.email=="ann@x.org").map(p=>p.name)', [{ name: 'ann' }]],
      ['Users.filter(p=>year(p.created)==1970).count()', [{ count: 2 }]],
      ['Users.sort(p=>desc(p.created)).map(p=>p.name)', [{ name: 'bob' }, { name: 'ann' }]],
      ['Notes.filter(p=>p.user.email.startsWith("ann@")).map(p=>p.id)', [{ id: 1 }]],
    ])('is what %s reads', async (query, expected) => {
      expect(await jsonOf(query)).toEqual(expected);
    });
  });

  describe('entities that share a table', () => {
    it('show only their own rows', async () => {
      expect(await jsonOf('Countries')).toEqual([{ kind: 'country', code: 'x', title: 'Xland' }]);
      expect(await jsonOf('Cities.map(p=>p.title)')).toEqual([{ title: 'Xtown' }]);
      expect(await jsonOf('Cities.filter(p=>p.kind=="country")')).toEqual([]);
    });

    it.each(['delete', 'update'])('refuse to %s the row of another one', async (action) => {
      const data = { kind: 'river', code: 'x', title: 'Hit' };
      const answer = await execute(`Cities.${action}()`, data);
      expect([answer.status, answer.json()]).toMatchObject([
        422,
        { code: 'constraint-unmet', place: 'data.kind' },
      ]);
      expect(await jsonOf('Cities.map(p=>p.title)')).toEqual([{ title: 'Xtown' }]);
    });

    it('write only their own rows', async () => {
      expect(await jsonOf('Cities.insert()', { code: 'y', title: 'Ytown' })).toEqual({
        kind: 'city',
        code: 'y',
        title: 'Ytown',
      });
      const entities = [{ entity: 'Cities', rows: [{ code: 'z', title: 'Ztown' }] }];
      const imported = await post(program, '/stages/default/import', { entities });
      expect(imported.status, imported.text).toBe(200);
      expect(await jsonOf('Countries.updateAll({title:title})', { title: 'T' })).toBe(1);
      expect(await jsonOf('Countries.deleteAll()')).toBe(1);
      expect(await stored('SELECT kind, code, title FROM tbl_places ORDER BY kind, code')).toEqual([
        { kind: 'city', code: 'x', title: 'Xtown' },
        { kind: 'city', code: 'y', title: 'Ytown' },
        { kind: 'city', code: 'z', title: 'Ztown' },
        { kind: 'river', code: 'x', title: 'Xwater' },
      ]);
    });

    it('are told apart by a key that only the mapping has', async () => {
      expect(await jsonOf('Cats.insert()', { id: 2, name: 'Tom' })).toEqual({ id: 2, name: 'Tom' });
      expect(await jsonOf('Cats.upsert()', { id: 2, name: 'Tim' })).toEqual({ id: 2, name: 'Tim' });
      expect(await jsonOf('Cats.update()', { id: 1, name: 'Hit' })).toBe(0);
      expect(await jsonOf('Cats.delete()', { id: 1 })).toBe(0);
      const merged = await execute('Cats.upsert()', { id: 1, name: 'Hit' });
      expect([merged.status, merged.json()]).toMatchObject([409, { code: 'unique-violation' }]);
      const entities = [{ entity: 'Cats', rows: [{ id: 3, name: 'Kit' }] }];
      const imported = await post(program, '/stages/default/import', { entities });
      expect(imported.status, imported.text).toBe(200);
      expect(await stored('SELECT id, name, kind FROM pets ORDER BY id')).toEqual([
        { id: 1, name: 'Rex', kind: 'dog' },
        { id: 2, name: 'Tim', kind: 'cat' },
        { id: 3, name: 'Kit', kind: 'cat' },
      ]);
    });
  });
}
