/**
 * Enumerated types and `citext`: they are compared as the database compares them, and used as strings
 * elsewhere.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

function sqlOf(mood: string, size = mood): string {
  return `CREATE TABLE thing (id integer PRIMARY KEY, mood ${mood}, other ${mood}, name varchar(20), size ${size});
    INSERT INTO thing (id, mood, other, name) VALUES (1, 'ok', 'sad', 'ok'), (2, 'sad', 'sad', 'x'), (3, NULL, 'ok', 'y');`;
}

const data = { x: 'ok', xs: ['ok'] };

/** Conditions, and the rows for which they hold. */
const conditions: readonly (readonly [condition: string, ids: readonly number[]])[] = [
  ['p.mood==x', [1]],
  ['p.mood!="ok"', [2]],
  ['in(p.mood, xs) || in(p.mood, ["sad"])', [1, 2]],
  ['p.mood==p.other', [2]],
  ['p.mood==p.size || in(p.size, [p.mood, "ok"]) || between(p.mood, p.size, "x")', []],
  ['p.mood==p.name && p.name==p.mood', [1]],
  ['p.name!=p.mood', [2]],
  ['in(p.mood, [p.name, "none"])', [1]],
  ['in(p.name, [p.mood, "y"])', [1, 3]],
  ['between(p.name, p.mood, p.name)', [1, 2]],
  ['in(x, [p.mood, p.other]) || in("ok", [p.other])', [1, 3]],
  ['between(x, p.mood, p.mood)', [1]],
  ['p.mood==lower(p.name) && lower(p.mood)==p.mood', [1]],
  [
    'like(p.mood, "o%") && ilike(p.mood, "O%") && startsWith(p.mood, "o") && contains(p.mood, "k")',
    [1],
  ],
  ['isEmpty(p.mood)', [3]],
  ['isNotEmpty(p.mood) && isNotNull(p.mood)', [1, 2]],
  ['(p.mood ?? "none")=="none"', [3]],
  ['toNumber(p.mood)==null', [1, 2, 3]],
];

/** Expressions, and their values in the rows. */
const values: readonly (readonly [expression: string, values: readonly unknown[]])[] = [
  ['nvl(p.mood, "none")', ['ok', 'sad', 'none']],
  ['nvl(p.mood, x)', ['ok', 'sad', 'ok']],
  ['p.mood ?? p.name', ['ok', 'sad', 'y']],
  ['p.mood ?? p.other', ['ok', 'sad', 'ok']],
  ['nvl2(p.mood, p.mood, p.name)', ['ok', 'sad', 'y']],
  ['p.id==1 ? p.mood : p.name', ['ok', 'x', 'y']],
  ['p.id==1 ? "first" : p.mood', ['first', 'sad', null]],
  ['p.mood+"!"', ['ok!', 'sad!', null]],
  ['concat(p.mood, "-", p.name)', ['ok-ok', 'sad-x', null]],
  ['upper(p.mood)', ['OK', 'SAD', null]],
  ['toString(p.mood)', ['ok', 'sad', null]],
  ['toJson(p.mood)', ['"ok"', '"sad"', null]],
  ['length(p.mood)', [2, 3, null]],
  ['replace(p.mood, "o", "u")', ['uk', 'sad', null]],
  ['lpad(p.mood, 5, "x")', ['xxxok', 'xxsad', null]],
];

describe('an enumerated type on PostgreSQL', () => {
  const types = "CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TYPE size AS ENUM ('ok', 'big')";
  const sql = `${types}; ${sqlOf('mood', 'size')}`;
  const ask = suite(useOwnPostgresql(sql));

  test('has the order of its values', async () => {
    expect(await ask('Thing.filter(p=>p.mood<x).map(p=>p.id)')).toEqual([{ id: 2 }]);
    const most =
      'Thing.map(p=>({least: min(p.mood), most: max(p.mood), n: count(distinct(p.mood))}))';
    expect(await ask(most)).toEqual([{ least: 'sad', most: 'ok', n: 2 }]);
  });
});

describe('a domain over an enumerated type on PostgreSQL', () => {
  const database =
    useOwnPostgresql(`CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN dmood AS mood;
    ${sqlOf('dmood')}`);
  const ask = begin(database);

  test('is compared as a string, and a remark of the drafted schema says so', async () => {
    const condition = 'toString(p.mood)==x && in(toString(p.mood), xs) && toString(p.other)!="ok"';
    expect(await ask(`Thing.filter(p=>${condition}).map(p=>p.id)`)).toEqual([{ id: 1 }]);
    await expect(ask('Thing.filter(p=>p.mood==x)')).rejects.toThrow('operation-undefined');
    const { stdout } = await callCommand(['introspect', database.url]);
    expect(stdout).toMatch(
      /# Note: public\.thing\.mood\. PostgreSQL does not compare values of dmood, .*: write toString\(p\.mood\) in conditions\.$/m,
    );
  });

  test('is written and sorted like its enumerated type', async () => {
    const row = { id: 9, mood: 'ok', other: 'sad', name: null, size: null };
    expect(await ask('Thing.insert()', row)).toEqual(row);
    expect(await ask('Thing.filter(p=>p.id!=3).sort(p=>p.mood).map(p=>p.mood)')).toEqual([
      { mood: 'sad' },
      { mood: 'ok' },
      { mood: 'ok' },
    ]);
    expect(await ask('Thing.update({mood: "sad"}).filter(p=>p.id==9)')).toBe(1);
    expect(await ask('Thing.delete().filter(p=>p.id==9)')).toBe(1);
  });
});

describeMariadb('an enumerated column', () => {
  const ask = suite(useOwnMariadb(sqlOf("enum('sad', 'ok')", "enum('ok', 'big')")));

  test('is sorted in the order of its values, and compared as a string', async () => {
    expect(await ask('Thing.filter(p=>p.mood<"sad").map(p=>p.id)')).toEqual([{ id: 1 }]);
    const most =
      'Thing.map(p=>({least: min(p.mood), most: max(p.mood), n: count(distinct(p.mood))}))';
    expect(await ask(most)).toEqual([{ least: 'ok', most: 'sad', n: 2 }]);
  });

  test('is a string by toString, which is sorted like one', async () => {
    const texts = 'Thing.map(p=>({mood: toString(p.mood)})).sort(p=>p.mood)';
    const sorted = [{ mood: 'ok' }, { mood: 'sad' }, { mood: null }];
    expect(await ask(texts)).toEqual(sorted);
    expect(await ask(`${texts}.after(cursor).take(9)`, { cursor: null })).toEqual(sorted);
    expect(await ask('Thing.distinct(p=>({mood: toString(p.mood)})).sort(p=>p.mood)')).toEqual(
      sorted,
    );
  });

  test('cannot be the sort key of pages after a cursor, nor can the least of its values', async () => {
    const groups = 'Thing.map(p=>({name: p.name, least: min(p.mood)}))';
    const pages = `${groups}.sort(p=>p.least).after(cursor).take(2)`;
    await expect(ask(pages, { cursor: null })).rejects.toThrow(/^400 .*"unsupported".*concat/);
    const texts = `${groups.replace('p.mood', 'concat(p.mood)')}.sort(p=>p.least).after(cursor).take(2)`;
    expect(await ask(texts, { cursor: null })).toEqual([
      { name: 'ok', least: 'ok' },
      { name: 'x', least: 'sad' },
    ]);
  });
});

describe('citext on PostgreSQL', () => {
  const sql = sqlOf('citext').replace("'ok', 'sad', 'ok'", "'OK', 'sad', 'ok'");
  const keys = `CREATE TABLE tag (slug citext PRIMARY KEY);
    CREATE TABLE tagged (id integer PRIMARY KEY, tag citext REFERENCES tag (slug), name citext);
    INSERT INTO tag VALUES ('Red'); INSERT INTO tagged VALUES (1, 'red');
    CREATE TABLE device (id integer PRIMARY KEY, mac macaddr); INSERT INTO device VALUES (1, '08:00:2b:01:02:03')`;
  const database = useOwnPostgresql(`CREATE EXTENSION citext; ${sql}; ${keys}`);
  const ask = begin(database);

  test('is a key whose rows includes find only by the same text; a remark says so', async () => {
    const tagged = 'Tagged.map(p=>({path: p.tagRef.slug})).include(p=>p.tagRef)';
    expect(await ask(tagged)).toEqual([{ path: 'Red', tagRef: null }]);
    const { stderr } = await callCommand(['introspect', database.url]);
    expect(stderr.match(/(?<=Note: )public\.\S+\. Includes by a key of type citext/g)).toEqual([
      'public.tagged.tag. Includes by a key of type citext',
    ]);
  });

  test('is compared, sorted, grouped and matched without regard for case', async () => {
    expect(await ask('Thing.filter(p=>p.mood==x).map(p=>p.mood)')).toEqual([{ mood: 'OK' }]);
    expect(await ask('Thing.filter(p=>in(p.mood, xs)).map(p=>p.mood)')).toEqual([{ mood: 'OK' }]);
    expect(await ask('Thing.filter(p=>like(p.mood, "o_")).map(p=>p.id)')).toEqual([{ id: 1 }]);
    expect(await ask('Thing.filter(p=>p.mood!=null).sort(p=>p.mood).map(p=>p.id)')).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
  });

  test.each([
    ['p.mood==x', 'label: "is "+x', { label: 'is ok' }],
    ['p.mood=="ok"', 'label: "ok"', { label: 'ok' }],
    ['p.name==x && p.mood==x', 'name: p.name', { name: 'ok' }],
    ['in(p.name, xs) && in(p.mood, xs)', 'name: p.name', { name: 'ok' }],
    ['p.name==x', 'same: p.mood==x', { same: true }],
  ])(
    'is compared so in groups, too, whatever else its value is used for: %s, %s',
    async (condition, key, row) => {
      const groups = `Thing.filter(p=>${condition}).map(p=>({${key}, n: count()}))`;
      expect(await ask(groups)).toEqual([{ ...row, n: 1 }]);
      const having = `${groups}.having(p=>p.${Object.keys(row)[0]}!=null)`;
      expect(await ask(having)).toEqual([{ ...row, n: 1 }]);
    },
  );

  test('an address is compared with a value that groups are labelled with', async () => {
    const groups = 'Device.filter(p=>p.mac==x).map(p=>({label: "mac "+x, n: count()}))';
    const x = '08:00:2B:01:02:03';
    expect(await ask(groups, { x })).toEqual([{ label: `mac ${x}`, n: 1 }]);
  });

  test('is the key of the same groups in pages after a cursor, whatever they are sorted by', async () => {
    const row = { other: null, name: null, size: null };
    await ask('Thing.insert()', { ...row, id: 8, mood: 'oK' });
    const groups =
      'Thing.filter(p=>p.mood!=null).map(p=>({mood: p.mood, n: count()})).sort(p=>[concat(p.mood, x), p.mood])';
    const pages = await ask(`${groups}.after(cursor).take(9)`, { x: '!', cursor: null });
    expect(pages).toEqual([
      { mood: expect.stringMatching(/^OK$/i), n: 2 },
      { mood: 'sad', n: 1 },
    ]);
    expect(pages).toEqual(await ask(groups, { x: '!' }));
    expect(await ask('Thing.delete().filter(p=>p.id==8)')).toBe(1);
  });

  test('is written as it is, and is a string for functions', async () => {
    const row = { id: 9, mood: 'SaD', other: 'x', name: null, size: null };
    expect(await ask('Thing.insert()', row)).toEqual(row);
    const groups =
      'Thing.filter(p=>p.id!=1 && p.mood!=null).map(p=>({n: count()})).having(p=>p.mood=="sad")';
    expect(await ask('Thing.filter(p=>p.mood=="sad").count()')).toEqual([{ count: 2 }]);
    expect(groups).toContain('sad');
    expect(
      await ask('Thing.filter(p=>contains(p.mood, "aD")).map(p=>({u: upper(p.mood)}))'),
    ).toEqual([{ u: 'SAD' }]);
    expect(
      await ask('Thing.bulkInsert()', [
        { ...row, id: 10 },
        { ...row, id: 11 },
      ]),
    ).toHaveLength(2);
    expect(await ask('Thing.delete().filter(p=>p.id>8)')).toBe(3);
  });
});

function begin(database: OwnDatabase): (query: string, given?: unknown) => Promise<unknown> {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());
  return (query, given = data) => rowsOf(program, query, given);
}

function suite(database: OwnDatabase) {
  const ask = begin(database);

  test.each(conditions)('%s', async (condition, ids) => {
    const rows = await ask(`Thing.filter(p=>${condition}).sort(p=>p.id).map(p=>p.id)`);
    expect(rows).toEqual(ids.map((id) => ({ id })));
  });

  test.each(values)('%s', async (expression, expected) => {
    const rows = await ask(`Thing.sort(p=>p.id).map(p=>({v: ${expression}}))`);
    expect(rows).toEqual(expected.map((v) => ({ v })));
  });

  test('sorts, groups and distinct rows', async () => {
    const sorted = 'Thing.filter(p=>p.mood!=null).sort(p=>p.mood).map(p=>p.mood)';
    expect(await ask(sorted)).toEqual([{ mood: 'sad' }, { mood: 'ok' }]);
    const groups = await ask('Thing.map(p=>({mood: p.mood, n: count()}))');
    expect(groups).toHaveLength(3);
    expect(groups).toContainEqual({ mood: 'sad', n: 1 });
    expect(await ask('Thing.distinct(p=>p.other)')).toHaveLength(2);
  });

  test.each([
    ['p.mood=="none"', "'none' is not a value of the enum"],
    ['p.mood!="sod"', "'sod' is not a value of the enum"],
    ['"none"<p.mood', "'none' is not a value of the enum"],
    ['in(p.mood, ["ok", "none", x])', "'none' is not a value of the enum"],
    ['between(p.mood, "a", "ok")', "'a' is not a value of the enum"],
  ])('%s is refused, and the values are listed', async (condition, message) => {
    await expect(ask(`Thing.filter(p=>${condition})`)).rejects.toThrow(
      new RegExp(`^400 .*"${message} (Mood|ThingMood): 'sad', 'ok'\\."`),
    );
  });

  const wrong = "takes a value of the enum (Mood|ThingMood): 'sad', 'ok'\\.";
  test.each([
    ['Thing.filter(p=>p.mood==k)', { k: 'none' }, 'k'],
    ['Thing.filter(p=>k!=p.mood)', { k: 'none' }, 'k'],
    ['Thing.filter(p=>p.mood<k).map(p=>p.id)', { k: 'OK' }, 'k'],
    ['Thing.filter(p=>in(p.mood, ks))', { ks: ['ok', null, 'none'] }, 'ks\\[2\\]'],
    ['Thing.filter(p=>in(p.mood, ["ok", k]))', { k: '' }, 'k'],
    ['Thing.filter(p=>between(p.mood, a, b))', { a: 'ok', b: 'none' }, 'b'],
    ['Thing.map(p=>({is: p.mood==k}))', { k: 'none' }, 'k'],
    ['Thing.map(p=>({mood: p.mood, n: count()})).having(p=>p.mood==k)', { k: 'none' }, 'k'],
    ['Thing.filter(p=>p.id>n && p.mood==k)', { n: 1, k: 'none' }, 'k'],
    ['Thing.update({name: "x"}).filter(p=>p.mood==k)', { k: 'none' }, 'k'],
    ['Thing.delete().filter(p=>p.mood==k)', { k: 'none' }, 'k'],
  ])('a parameter in %s must be one of its values', async (query, given, name) => {
    await expect(ask(query, given)).rejects.toThrow(
      new RegExp(`^400 .*"Parameter '${name}' ${wrong}".*"place":"data\\.${name}"`),
    );
  });

  test('a parameter may be null, and any text where the enum is compared as a string', async () => {
    const ids = (condition: string, given: unknown) =>
      ask(`Thing.filter(p=>${condition}).sort(p=>p.id).map(p=>p.id)`, given);
    expect(await ids('p.mood==k', { k: null })).toEqual([{ id: 3 }]);
    expect(await ids('in(p.mood, ks)', { ks: [null, 'ok'] })).toEqual([{ id: 1 }]);
    expect(await ids('p.mood==p.name || p.mood==lower(k)', { k: 'NONE' })).toEqual([{ id: 1 }]);
    expect(await ids('in(p.mood, [p.name, k])', { k: 'none' })).toEqual([{ id: 1 }]);
  });

  test.each([
    'Thing.update({mood: "none"}).filter(p=>p.id==1)',
    'Thing.update(p=>({mood: "none"})).filter(p=>p.id==1)',
    'Thing.insert({id: id, mood: "none"})',
    'Thing.bulkInsert({id: id, mood: "none"})',
  ])('a literal that %s would write must be one of its values', async (query) => {
    const col = query.indexOf('"none"') + 1;
    const message = "'none' is not a value of the enum (Mood|ThingMood): 'sad', 'ok'\\.";
    await expect(ask(query, { id: 99 })).rejects.toThrow(
      new RegExp(`^400 .*"${message}".*"position":{"ln":1,"col":${col}}`),
    );
  });

  test('is written, by many rows and by an update', async () => {
    const rows = [10, 11, 12].map((id) => ({ id, mood: 'ok', other: null, name: 'n', size: null }));
    expect(await ask('Thing.bulkInsert()', rows)).toEqual(rows);
    expect(await ask('Thing.bulkUpsert()', rows)).toEqual(rows);
    expect(await ask('Thing.update({mood: mood}).filter(p=>p.id>9)', { mood: 'sad' })).toBe(3);
    expect(await ask('Thing.update(p=>({mood: p.other})).filter(p=>p.id==10)')).toBe(1);
    const computed = 'Thing.update(p=>({mood: p.id==11 ? "ok" : p.mood, other: lower(mood)}))';
    expect(await ask(`${computed}.filter(p=>p.id>10)`, { mood: 'SAD' })).toBe(2);
    expect(await ask('Thing.filter(p=>p.id>10).sort(p=>p.id).map(p=>[p.mood, p.other])')).toEqual([
      { mood: 'ok', other: 'sad' },
      { mood: 'sad', other: 'sad' },
    ]);
    expect(await ask('Thing.delete().filter(p=>p.id>9)')).toBe(3);
  });
  return ask;
}
