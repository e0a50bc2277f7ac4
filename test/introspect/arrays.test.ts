/** Arrays of every item type are written, read and searched in the same way on every database. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql, withoutRows } from './own-database.js';
import { refusal } from './served-suite.js';

const uuid = '123e4567-e89b-42d3-a456-426614174000';

/**
 * By the type of the items: the items of an array as they are answered, and a value that it does
 * not contain.
 */
const arrays = {
  integer: { items: [3, -1, 2147483647], absent: 4 },
  decimal: { items: [20.8, -0.0001, 3], absent: 20.81 },
  number: { items: [0.1, 1e-7], absent: 0.2 },
  string: { items: ['a', 'B "q" \\ {},\n', 'NULL', '', 'ü'], absent: 'b "q"' },
  boolean: { items: [true, true], absent: false },
  dateTime: {
    items: ['2024-02-29T12:30:00.123456Z', '1999-12-31T23:59:59.000Z'],
    absent: '2024-02-29T12:30:00.123Z',
  },
  date: { items: ['2024-02-29T00:00:00.000Z'], absent: '2024-03-01T00:00:00.000Z' },
  time: { items: ['12:30:00', '01:02:03.000004'], absent: '12:30:01' },
  uuid: { items: [uuid], absent: 'ffffffff-0000-4000-8000-000000000001' },
  interval: { items: ['P1DT2H'], absent: 'P1D' },
  inet: { items: ['10.0.0.0/8', '::1'], absent: '10.0.0.1' },
} as const;

const types = Object.entries(arrays);
const full = Object.fromEntries(types.map(([type, { items }]) => [`${type}s`, items]));
const holed = Object.fromEntries(types.map(([type, { items }]) => [`${type}s`, [null, items[0]]]));
const empty = Object.fromEntries(types.map(([type]) => [`${type}s`, []]));
const none = Object.fromEntries(types.map(([type]) => [`${type}s`, null]));
const all = [full, holed, empty, none].map((row, index) => ({ id: index + 1, ...row }));

describe('an array on PostgreSQL', () => {
  const database = useOwnPostgresql(`CREATE TABLE note (id integer PRIMARY KEY, tags text[]);
    INSERT INTO note SELECT i, ARRAY['tag ' || i] FROM generate_series(1, 20000) AS i;
    CREATE INDEX ON note USING gin (tags); ANALYZE note`);

  test('of texts is searched by an index', async () => {
    const program = await startProgram(['--url', database.url, '--workers', '1']);
    try {
      const query = 'Note.filter(p=>p.tags.contains(x)).map(p=>p.id)';
      expect(await rowsOf(program, query, { x: 'tag 7' })).toEqual([{ id: 7 }]);
      const plan = (await post(program, '/plan', { query })).json() as {
        readonly sentence: string;
      };
      const lines = await database.texts(`EXPLAIN (GENERIC_PLAN) ${plan.sentence}`);
      expect(lines.join('\n')).toContain('Bitmap Index Scan');
    } finally {
      await program.stop();
    }
  });
});

describe('an array of varchar on PostgreSQL', () => {
  const database = useOwnPostgresql(`CREATE TABLE word (id integer PRIMARY KEY, parts varchar(9)[]);
    INSERT INTO word VALUES (1, '{a}'), (2, '{b}'), (3, '{a,b}')`);

  test('groups rows by an item, which conditions and sorts use', async () => {
    const program = await startProgram(['--url', database.url, '--workers', '1']);
    try {
      const groups = 'map(p=>({part: p.parts[0], n: count()}))';
      const few = `Word.having(p=>p.parts[0]<"b").${groups}`;
      expect(await rowsOf(program, few)).toEqual([{ part: 'a', n: 2 }]);
      const equal =
        'Word.map(p=>({part: p.parts[0], is: p.parts[1]==p.parts[0], n: count()})).having(p=>p.is==null)';
      expect(await rowsOf(program, `${equal}.sort(p=>p.part)`)).toEqual([
        { part: 'a', is: null, n: 1 },
        { part: 'b', is: null, n: 1 },
      ]);
      const all = `Word.${groups}.sort(p=>desc(upper(p.part)))`;
      expect(await rowsOf(program, all)).toEqual([
        { part: 'b', n: 1 },
        { part: 'a', n: 2 },
      ]);
    } finally {
      await program.stop();
    }
  });
});

describe('arrays of several dimensions on PostgreSQL', () => {
  const sql = String.raw`CREATE TABLE grid (id integer PRIMARY KEY, cells integer[][], names text[][], days date[], spans numeric[]);
    INSERT INTO grid VALUES (1, '{{1,2,NULL},{-3,4,5}}', '{{{"a\"{","NULL"},{NULL,""}}}', '{{2024-02-29},{infinity}}',
      '{{NaN,1.5}}'), (2, '{}', '{x}', NULL, '{1}')`;
  const database = useOwnPostgresql(sql);
  const empty = useOwnPostgresql(withoutRows(sql));
  const texts = (of: OwnDatabase) =>
    of.texts('SELECT cells::text, names::text, days::text, spans::text FROM grid ORDER BY id');

  test('are imported from an export, and not written otherwise', async () => {
    const program = await startProgram(['--url', database.url, '--workers', '1']);
    const other = await startProgram(['--url', empty.url, '--workers', '1']);
    try {
      const exported = (await ask(program, '/stages/default/export')).text;
      const imported = await post(other, '/stages/default/import', exported);
      expect([imported.status, imported.text]).toEqual([200, expect.any(String)]);
      expect(await texts(empty)).toEqual(await texts(database));
      const uneven = [{ entity: 'Grid', rows: [{ id: 3, cells: [[1], [2, 3]] }] }];
      const refused = await post(other, '/stages/default/import', { entities: uneven });
      expect(refused.json()).toMatchObject({
        code: 'parameter-type',
        place: 'entities[0].rows[0].cells',
      });
      const written = await refusal(other, 'Grid.insert()', { id: 3, cells: [[1]] });
      expect(written).toMatchObject({
        code: 'parameter-type',
        detail: expect.stringContaining("'cells'"),
      });
    } finally {
      await program.stop();
      await other.stop();
    }
  });
});

describe('arrays on PostgreSQL', () => {
  suite(useOwnPostgresql(''), useOwnPostgresql(''));
});

describeMariadb('arrays', () => {
  suite(useOwnMariadb('SELECT 1'), useOwnMariadb('SELECT 1'));
});

function suite(database: OwnDatabase, other: OwnDatabase): void {
  const folder = makeTemporaryDirectory();
  let program: Program;

  function schemaOf({ dialect, url }: OwnDatabase): string {
    const file = join(folder, `${url.replaceAll(/\W/g, '')}.yaml`);
    const own = types.map(([type]) => `{ name: ${type}s, type: "${type}[]" }`).join(', ');
    writeFileSync(
      file,
      `domain:
  version: 1.0.0
  entities:
    - name: Lists
      primaryKey: [id]
      properties: [{ name: id, type: integer, required: true }, ${own}]
      constraints: [{ message: no more than five, condition: 'strings==null || length(strings)<6' }]
infrastructure:
  sources: [{ name: main, dialect: ${dialect}, connection: '${url}' }]`,
    );
    return file;
  }

  const served = async (target: OwnDatabase) => {
    const file = schemaOf(target);
    expect(await callCommand(['push', '--schema', file])).toMatchObject({ code: 0, stderr: '' });
    expect(await callCommand(['diff', '--schema', file])).toMatchObject({ code: 0 });
    return startProgram(['--schema', file, '--workers', '1']);
  };

  beforeAll(async () => {
    program = await served(database);
  });
  afterAll(() => program.stop());

  const everything = 'Lists.sort(p=>p.id)';

  test('are written by every kind of write, and answered unchanged', async () => {
    const [first, second, ...rest] = all;
    expect(await rowsOf(program, 'Lists.insert()', first)).toEqual(first);
    expect(await rowsOf(program, 'Lists.upsert()', second)).toEqual(second);
    expect(await rowsOf(program, 'Lists.bulkInsert()', rest)).toEqual(rest);
    expect(await rowsOf(program, everything)).toEqual(all);
    const row = { ...none, id: 1 };
    expect(await rowsOf(program, 'Lists.update()', row)).toBe(1);
    expect(await rowsOf(program, 'Lists.filter(p=>p.id==1)')).toEqual([row]);
    const set = types.map(([type]) => `${type}s: ${type}s`).join(', ');
    const update = `Lists.update(p=>({${set}})).filter(p=>p.id==1)`;
    expect(await rowsOf(program, update, full)).toBe(1);
    expect(await rowsOf(program, 'Lists.bulkUpsert()', rest)).toEqual(rest);
    expect(await rowsOf(program, everything)).toEqual(all);
  });

  test('are answered as JSON in every format', async () => {
    const query = 'Lists.filter(p=>p.id<3).sort(p=>p.id).map(p=>[p.id, p.strings, p.decimals])';
    const pretty = await post(program, '/execute?format=beautiful', { query });
    const compact = await post(program, '/execute', { query });
    expect(pretty.text).toBe(JSON.stringify(JSON.parse(compact.text), null, 2));
    const csv = await post(program, '/execute', { query }, { accept: 'text/csv' });
    expect(csv.text.split('\r\n')[2]).toBe('2,"[null,""a""]","[null,20.8]"');
  });

  const ids = async (filter: string, data: unknown = {}) => {
    const rows = await rowsOf(
      program,
      `Lists.filter(p=>${filter}).sort(p=>p.id).map(p=>p.id)`,
      data,
    );
    return (rows as readonly { readonly id: number }[]).map(({ id }) => id);
  };

  test.each(types)('of %s are searched, counted and read by index', async (type, each) => {
    const { items, absent } = each;
    const name = `p.${type}s`;
    for (const item of items) {
      const found = item === items[0] ? [1, 2] : [1];
      expect(await ids(`${name}.contains(x)`, { x: item })).toEqual(found);
      expect(await ids(`in(x, ${name})`, { x: item })).toEqual(found);
    }
    expect(await ids(`${name}.includes(x)`, { x: absent })).toEqual([]);
    // A null is never found, neither in the array nor as the value.
    expect(await ids(`!${name}.contains(x)`, { x: absent })).toEqual([1, 2, 3]);
    expect(await ids(`!${name}.contains(x)`, { x: null })).toEqual([1, 2, 3]);
    expect(await ids(`!${name}.contains(${name}[0])`)).toEqual([2, 3]);
    expect(await ids(`${name}.contains(${JSON.stringify(items[0])})`)).toEqual([1, 2]);
    expect(await ids(`${name}.contains(${name}[0])`)).toEqual([1]);
    expect(await ids(`${name}.length()==${items.length}`)).toContain(1);
    expect(await ids(`length(${name})==0`)).toEqual([3]);
    expect(await ids(`${name}[0]==x`, { x: items[0] })).toEqual([1]);
    expect(await ids(`${name}[1]==${JSON.stringify(items[0])}`)).toContain(2);
    expect(await ids(`${name}[0]==null`)).toEqual([2, 3, 4]);
    expect(await ids(`${name}==null`)).toEqual([4]);
    const shown = `Lists.filter(p=>p.id==1).map(p=>({first: ${name}[0], none: ${name}[9], n: length(${name})}))`;
    expect(await rowsOf(program, shown)).toEqual([
      { first: items[0], none: null, n: items.length },
    ]);
  });

  test('are searched by many requests at a time', async () => {
    const items = ['a', 'no such', 'ü', 'NULL'];
    const found = [[1, 2], [], [1], [1]];
    const query =
      'Lists.filter(p=>p.strings.contains(x) || p.strings[0]==x).sort(p=>p.id).map(p=>p.id)';
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => rowsOf(program, query, { x: items[index % 4] })),
    );
    expect(answers).toEqual(answers.map((_, index) => found[index % 4]?.map((id) => ({ id }))));
  });

  test('have items by which rows can be sorted and grouped', async () => {
    const sorted = 'Lists.filter(p=>p.id<3).sort(p=>p.integers[1]).map(p=>p.id)';
    expect(await rowsOf(program, sorted)).toEqual([{ id: 1 }, { id: 2 }]);
    const grouped = 'Lists.filter(p=>p.id<3).map(p=>({first: p.strings[0], n: count()}))';
    expect(await rowsOf(program, grouped)).toContainEqual({ first: 'a', n: 1 });
    const joined =
      'Lists.filter(p=>p.id==1).map(p=>({t: upper(p.strings[0])+"!", n: p.integers[0]+1}))';
    expect(await rowsOf(program, joined)).toEqual([{ t: 'A!', n: 4 }]);
  });

  test('cannot be compared, sorted, or used as strings', async () => {
    const mismatch = { status: 400, code: 'type-mismatch' };
    for (const query of [
      'Lists.filter(p=>p.strings==x)',
      'Lists.filter(p=>in(p.strings, xs))',
      'Lists.sort(p=>p.strings)',
      'Lists.distinct(p=>p.strings)',
      'Lists.map(p=>upper(p.strings))',
      'Lists.map(p=>toString(p.strings))',
      'Lists.map(p=>max(p.strings))',
      'Lists.filter(p=>p.strings.contains(1))',
      'Lists.filter(p=>p.integers.contains("x"))',
      'Lists.map(p=>isEmpty(p.strings))',
      'Lists.filter(p=>p.strings+"x"=="x")',
    ]) {
      expect([query, await refusal(program, query, { x: [], xs: [] })]).toEqual([
        query,
        expect.objectContaining(mismatch),
      ]);
    }
    expect(await refusal(program, 'Lists.map(p=>p.strings.length)')).toMatchObject({
      status: 400,
      code: 'unknown-property',
    });
  });

  test('are refused in data with the name of their property', async () => {
    for (const strings of ['a', [1], { a: 1 }, [['a']]]) {
      const refused = await refusal(program, 'Lists.insert()', { id: 9, strings });
      expect(refused).toMatchObject({ status: 400, code: 'parameter-type' });
      expect(refused.detail).toContain("'strings' takes a list, each item a string");
    }
    const strings = ['1', '2', '3', '4', '5', '6'];
    expect(await refusal(program, 'Lists.insert()', { id: 9, strings })).toMatchObject({
      status: 422,
    });
  });

  test('are the same in an export after an import', async () => {
    const exported = await ask(program, '/stages/default/export');
    const target = await served(other);
    try {
      const stored = await post(target, '/stages/default/import', exported.text);
      expect([stored.status, stored.text]).toEqual([200, expect.any(String)]);
      expect((await ask(target, '/stages/default/export')).json()).toEqual(exported.json());
      expect(await rowsOf(target, everything)).toEqual(all);
    } finally {
      await target.stop();
    }
  });
}
