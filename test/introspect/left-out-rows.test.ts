/** A write from which a trigger leaves out rows is an error, and nothing of it stays stored (PostgreSQL). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnPostgresql } from './own-database.js';

const database = useOwnPostgresql(`
  CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.v = 9 THEN RETURN NULL; END IF;
    RETURN NEW;
  END $$;
  CREATE TABLE post (id integer PRIMARY KEY, v integer);
  CREATE TABLE comment (id integer PRIMARY KEY, v integer, post_id integer);
  CREATE TRIGGER own BEFORE INSERT ON comment FOR EACH ROW EXECUTE FUNCTION leave_out();
  CREATE TABLE parted (id integer PRIMARY KEY, v integer) PARTITION BY RANGE (id);
  CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (100);
  CREATE TRIGGER own BEFORE INSERT ON parted_low FOR EACH ROW EXECUTE FUNCTION leave_out();
  CREATE VIEW shown AS SELECT id, v FROM comment;
  CREATE TABLE changed (id integer PRIMARY KEY, v integer);
  CREATE TRIGGER own BEFORE UPDATE ON changed FOR EACH ROW EXECUTE FUNCTION leave_out();
  CREATE TABLE late (id integer PRIMARY KEY, v integer);
  CREATE TABLE copied (id integer, v integer);
  CREATE TABLE ruled (id integer PRIMARY KEY, v integer);
  CREATE RULE copy AS ON INSERT TO ruled DO ALSO INSERT INTO copied VALUES (NEW.id, NEW.v);`);

let program: Program;
beforeAll(async () => {
  const file = join(makeTemporaryDirectory(), 'schema.json');
  writeFileSync(file, JSON.stringify(schemaOf(database)));
  program = await startProgram(['--schema', file, '--url', database.url, '--workers', '1']);
});
afterAll(() => program.stop());

const some = (first: number) => [
  { id: first, v: 8 },
  { id: first + 1, v: 9 },
];

const leftOut = (entity: string, count = '1 of 2') => ({
  status: 422,
  code: 'refused-by-database',
  detail: `A trigger or a rule of the database left out rows of entity ${entity} (${count}), or stored them elsewhere.`,
});

const refusal = async (query: string, data: unknown): Promise<unknown> =>
  (await post(program, '/execute', { query, data })).json();

test.each([
  ['Comment', 'bulkInsert'],
  ['Comment', 'bulkUpsert'],
  ['Parted', 'bulkInsert'],
  ['Shown', 'bulkInsert'],
])('of rows of %s in a %s, none is stored', async (entity, clause) => {
  // The second time, it is known that the table has a trigger.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(await refusal(`${entity}.${clause}()`, some(10))).toMatchObject(leftOut(entity));
    expect(await rowsOf(program, `${entity}.filter(p=>p.id>=10)`)).toEqual([]);
  }
  const stored = [{ id: 1, v: 1 }, ...some(2).slice(0, 1)];
  expect(await rowsOf(program, `${entity}.${clause}()`, stored)).toMatchObject(stored);
  expect(await rowsOf(program, `${entity}.deleteAll()`)).toBe(2);
});

test('rows whose change a trigger leaves out are refused with the others', async () => {
  await rowsOf(
    program,
    'Changed.bulkInsert()',
    [1, 2].map((id) => ({ id, v: 1 })),
  );
  expect(await refusal('Changed.bulkUpsert()', some(1))).toMatchObject(leftOut('Changed'));
  expect(await rowsOf(program, 'Changed.map(p=>p.v)')).toEqual([{ v: 1 }, { v: 1 }]);
});

test('a row is not stored without its included ones', async () => {
  const comments = [{ id: 21, v: 9 }];
  const row = { id: 20, v: 2, comments };
  const none = leftOut('Comment', '1 of 1');
  for (const clause of ['insert', 'upsert']) {
    const query = `Post.${clause}().include(p=>p.comments)`;
    expect(await refusal(query, row)).toMatchObject(none);
    expect(await rowsOf(program, 'Post')).toEqual([]);
  }
  await rowsOf(program, 'Post.insert()', { id: 20, v: 1 });
  const updates = ['Post.update()', 'Post.update({v:v}).filter(p=>p.id==20)'];
  for (const update of updates) {
    expect(await refusal(`${update}.include(p=>p.comments)`, row)).toMatchObject(none);
    expect(await rowsOf(program, 'Post')).toEqual([{ id: 20, v: 1 }]);
  }
  await rowsOf(program, 'Post.deleteAll()');
});

test('a row that is left out is not stored in part as the one that it refers to', async () => {
  const row = { id: 31, v: 9, post: { id: 30, v: 1 } };
  const query = 'Comment.insert().include(p=>p.post)';
  expect(await refusal(query, row)).toMatchObject(leftOut('Comment', '1 of 1'));
  expect(await rowsOf(program, 'Post')).toEqual([]);
});

test('nothing is stored in any of several sources', async () => {
  const row = { id: 40, v: 1, comments: [{ id: 41, v: 9 }] };
  const query = 'Post.insert().include(p=>p.comments)';
  const answer = await post(program, '/execute', { query, data: row, options: { stage: 'apart' } });
  expect(answer.json()).toMatchObject(leftOut('Comment', '1 of 1'));
  expect(await rowsOf(program, 'Post')).toEqual([]);
});

test('a trigger that is created while the program runs is noticed at once', async () => {
  await rowsOf(
    program,
    'Late.bulkInsert()',
    [1, 2].map((id) => ({ id, v: 1 })),
  );
  await database.run(
    'CREATE TRIGGER own BEFORE INSERT ON late FOR EACH ROW EXECUTE FUNCTION leave_out()',
  );
  expect(await refusal('Late.bulkInsert()', some(10))).toMatchObject(leftOut('Late'));
  expect(await rowsOf(program, 'Late.map(p=>p.id)')).toEqual([{ id: 1 }, { id: 2 }]);
});

test('writes of many requests are stored or refused each as a whole', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      const rows = some(100 + 2 * index);
      const data = index % 2 === 0 ? rows : rows.map(({ id }) => ({ id, v: 1 }));
      return post(program, '/execute', { query: 'Comment.bulkInsert()', data });
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(
    answers.map((_, index) => (index % 2 === 0 ? 422 : 200)),
  );
  expect(await rowsOf(program, 'Comment.map(p=>{n:count(p.id)})')).toEqual([{ n: 40 }]);
});

test('a rule that stores a row elsewhere, too, does no harm', async () => {
  const rows = [1, 2].map((id) => ({ id, v: 1 }));
  expect(await rowsOf(program, 'Ruled.bulkInsert()', rows)).toEqual(rows);
  expect(await database.texts('SELECT id FROM copied')).toEqual([[1], [2]]);
});

test('the statement that asks for triggers does not count as a row', async () => {
  const query = 'Post.bulkInsert()';
  await rowsOf(
    program,
    query,
    [1, 2].map((id) => ({ id, v: 1 })),
  );
  const { plans } = (await ask(program, '/stats')).json() as { plans: Record<string, unknown>[] };
  expect(plans.find(({ expression }) => expression === query)).toMatchObject({ rows: 2 });
});

function schemaOf({ dialect, url }: OwnDatabase) {
  const names = ['Post', 'Parted', 'Shown', 'Changed', 'Late', 'Ruled'];
  const properties = ['id', 'v'].map((name) => ({ name, type: 'integer' }));
  const relation = { name: 'post', from: 'postId', entity: 'Post', to: 'id', target: 'comments' };
  const mapping = (name: string) => ({ name, mapping: name.toLowerCase() });
  const postId = { name: 'postId', type: 'integer' };
  const stored = { name: 'postId', mapping: 'post_id' };
  const source = { dialect, mapping: 'default', connection: url };
  return {
    domain: {
      entities: [
        ...names.map((name) => ({ name, primaryKey: ['id'], properties })),
        {
          name: 'Comment',
          primaryKey: ['id'],
          properties: [...properties, postId],
          relations: [relation],
        },
      ],
    },
    infrastructure: {
      mappings: [
        {
          name: 'default',
          entities: [...names.map(mapping), { ...mapping('Comment'), properties: [stored] }],
        },
      ],
      sources: [
        { name: 'default', ...source },
        { name: 'other', ...source },
      ],
      stages: [
        { name: 'default', sources: [{ name: 'default' }] },
        {
          name: 'apart',
          sources: [{ name: 'other', condition: 'entity == "Comment"' }, { name: 'default' }],
        },
      ],
    },
  };
}
