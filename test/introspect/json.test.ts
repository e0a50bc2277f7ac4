/** JSON columns: values are read and written unchanged, on every way into and out of a database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql, withoutRows } from './own-database.js';
import { refusal } from './served-suite.js';

function sqlOf(type: string, key = 'serial'): string {
  return `CREATE TABLE note (id ${key} PRIMARY KEY, content ${type});
    CREATE TABLE page (id integer PRIMARY KEY, content ${type}, title varchar(20));
    INSERT INTO page VALUES (1, '{"a" : [1, 2.50],  "b": {"c": "x  y"}}', 'object'),
      (2, '"a text, with a comma"', 'text'), (3, '12345678901234567890', 'number'), (4, NULL, 'null');`;
}

const rows =
  '[{"id":1,"content":{"a":[1,2.50],"b":{"c":"x  y"}}},{"id":2,"content":"a text, with a comma"},' +
  '{"id":3,"content":12345678901234567890},{"id":4,"content":null}]';

describe('json on PostgreSQL', () => {
  const sql = sqlOf('json');
  suite(useOwnPostgresql(sql), useOwnPostgresql(withoutRows(sql)));
});

describe('jsonb on PostgreSQL', () => {
  const sql = sqlOf('jsonb');
  suite(useOwnPostgresql(sql), useOwnPostgresql(withoutRows(sql)));
});

describeMariadb('json', () => {
  const sql = sqlOf('json', 'integer AUTO_INCREMENT');
  suite(useOwnMariadb(sql), useOwnMariadb(withoutRows(sql)));
});

function suite(database: OwnDatabase, empty: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const query = 'Page.filter(p=>p.id<5).sort(p=>p.id).map(p=>[p.id, p.content])';

  test('is returned as JSON, with all its digits and in every format', async () => {
    const { text } = await post(program, '/execute', { query });
    expect(text).toBe(rows);
    const lines = await post(program, '/execute', { query }, { accept: 'application/x-ndjson' });
    expect(`[${lines.text.trim().replaceAll('\n', ',')}]`).toBe(rows);
    const csv = await post(program, '/execute', { query }, { accept: 'text/csv' });
    expect(csv.text.split('\r\n').slice(2, 5)).toEqual([
      '2,"a text, with a comma"',
      '3,12345678901234567890',
      '4,',
    ]);
    const pretty = await post(program, '/execute?format=beautiful', { query });
    expect(JSON.parse(pretty.text)).toEqual(JSON.parse(rows));
    expect(pretty.text).toContain('\n    "content": {\n      "a": [\n        1,');
  });

  test.each([{ deep: { er: [true, null, 'ü "q" \\ \n'] } }, [], {}, 'text', 1.5, false])(
    'is written unchanged: %j',
    async (content) => {
      const row = { id: 10, content, title: null };
      expect(await rowsOf(program, 'Page.insert()', row)).toEqual(row);
      const changed = { id: 10, content: [content] };
      expect(await rowsOf(program, 'Page.update()', changed)).toBe(1);
      const read = 'Page.filter(p=>p.id==10).map(p=>p.content)';
      expect(await rowsOf(program, read)).toEqual([{ content: [content] }]);
      expect(await rowsOf(program, 'Page.upsert()', row)).toEqual(row);
      const set = 'Page.update({content: content}).filter(p=>p.id==10)';
      expect(await rowsOf(program, set, { content: { again: content } })).toBe(1);
      expect(await rowsOf(program, read)).toEqual([{ content: { again: content } }]);
      const more = [11, 12].map((id) => ({ id, content: [id, content], title: 'bulk' }));
      expect(await rowsOf(program, 'Page.bulkInsert()', more)).toEqual(more);
      expect(await rowsOf(program, 'Page.delete().filter(p=>p.id>=10)')).toBe(3);
    },
  );

  test('has null as an empty field in CSV, unlike a text', async () => {
    const row = { id: 10, content: { none: null, text: 'null' }, title: null };
    expect(await rowsOf(program, 'Page.insert()', row)).toEqual(row);
    const read = 'Page.filter(p=>p.id==10).map(p=>({none: p.content.none, text: p.content.text}))';
    const csv = await post(program, '/execute', { query: read }, { accept: 'text/csv' });
    expect(csv.text).toBe('none,text\r\n,null\r\n');
    expect(await rowsOf(program, 'Page.delete().filter(p=>p.id==10)')).toBe(1);
  });

  test('can be compared with null, and with nothing else', async () => {
    const there = 'Page.filter(p=>p.content!=null).count()';
    expect(await rowsOf(program, there)).toEqual([{ count: 3 }]);
    expect(await refusal(program, 'Page.filter(p=>p.content==x)', { x: 1 })).toMatchObject({
      status: 400,
      code: 'type-mismatch',
      detail: 'JSON can only be compared with null.',
    });
    expect(await refusal(program, 'Page.sort(p=>p.content)')).toMatchObject({
      status: 400,
      detail: 'Rows cannot be sorted by JSON values.',
    });
  });

  test('is exported and imported', async () => {
    const exported = await ask(program, '/stages/default/export');
    const other = await startProgram(['--url', empty.url, '--workers', '1']);
    try {
      const stored = await post(other, '/stages/default/import', exported.text);
      expect([stored.status, stored.text]).toEqual([200, expect.any(String)]);
      const { text } = await post(other, '/execute', { query });
      // The number is the same, and an import reads it like any other number.
      expect(text).toBe(rows.replace('2.50', '2.5'));
    } finally {
      await other.stop();
    }
  });

  test('is imported with all its digits in a row without a key', async () => {
    const content = '{"a":12345678901234567890,"b":[1.5]}';
    const document = `{"entities":[{"entity":"Note","rows":[{"content":${content}}]}]}`;
    const imported = await post(program, '/stages/default/import', document);
    expect(imported.status, imported.text).toBe(200);
    const stored = await post(program, '/execute', { query: 'Note.map(p=>p.content)' });
    expect(stored.text).toBe(`[{"content":${content}}]`);
  });

  test('can be filtered, mapped and sorted by its parts, as scalars', async () => {
    const documents = [
      { name: 'b', size: 10, tags: ['x', 'y'], isNew: true, 'odd "key"': { deep: 1 } },
      { name: 'a', size: 9, tags: [], isNew: false },
      { name: 'c', size: '9', isNew: null },
      { size: null },
    ];
    const own = documents.map((content, index) => ({ id: 100 + index, content, title: 't' }));
    await rowsOf(program, 'Page.bulkInsert()', own);
    const ids = async (filter: string, data: unknown = {}) => {
      const rows = await rowsOf(
        program,
        `Page.filter(p=>p.id>99 && (${filter})).sort(p=>p.id).map(p=>p.id)`,
        data,
      );
      return (rows as readonly { readonly id: number }[]).map(({ id }) => id - 100);
    };
    expect(await ids('p.content.name=="a"')).toEqual([1]);
    expect(await ids('p.content.name==name', { name: 'c' })).toEqual([2]);
    expect(await ids('p.content.size>=9')).toEqual([0, 1]);
    expect(await ids('p.content["size"]=="9"')).toEqual([1, 2]);
    expect(await ids('p.content.size+1==11')).toEqual([0]);
    expect(await ids('p.content.isNew')).toEqual([0]);
    expect(await ids('!p.content.isNew')).toEqual([1]);
    expect(await ids('p.content.tags[1]=="y" && p.content.tags[2]==null')).toEqual([0]);
    expect(await ids('p.content["odd \\"key\\""].deep==1')).toEqual([0]);
    expect(await ids('p.content.size==null')).toEqual([3]);
    expect(await ids('p.content.isNew!=null')).toEqual([0, 1]);
    expect(await ids('in(p.content.name, ["a", "b"]) || startsWith(p.content.name, "c")')).toEqual([
      0, 1, 2,
    ]);
    expect(await ids('toNumber(p.content.size)==n', { n: 9 })).toEqual([1, 2]);
    for (const part of ['p.content.size==n', 'p.content.tags[0]>n', 'in(p.content.size, [n])']) {
      const compared = { query: `Page.filter(p=>${part})`, data: '{"n":9}' };
      expect((await post(program, '/execute', compared)).json()).toMatchObject({
        code: 'parameter-type',
        place: 'data.n',
        hint: expect.stringContaining('write toNumber(…) around the part'),
      });
    }
    const map =
      'Page.filter(p=>p.id==100).map(p=>({t: p.content.tags, d: p.content["odd \\"key\\""], n: upper(p.content.name), none: p.content.no.such}))';
    expect(await rowsOf(program, map)).toEqual([
      { t: ['x', 'y'], d: { deep: 1 }, n: 'B', none: null },
    ]);
    const sorted = 'Page.filter(p=>p.id>99 && p.id<103).sort(p=>p.content.size).map(p=>p.id)';
    expect(await rowsOf(program, sorted)).toEqual([{ id: 101 }, { id: 100 }, { id: 102 }]);
    const grouped = 'Page.filter(p=>p.id>99).map(p=>({k: toString(p.content.isNew), n: count()}))';
    expect(await rowsOf(program, grouped)).toContainEqual({ k: 'true', n: 1 });
    expect(await refusal(program, 'Page.map(p=>({k: p.content.a, n: count()}))')).toMatchObject({
      status: 400,
      code: 'type-mismatch',
    });
    expect(await refusal(program, 'Page.map(p=>p.title.a)')).toMatchObject({
      status: 400,
      code: 'unknown-property',
    });
    await rowsOf(program, 'Page.delete().filter(p=>p.id>99)');
  });

  test('has the parts that JavaScript finds, whatever their names are', async () => {
    const content = {
      '0': 'zero',
      '+1': { '01': 5 },
      'a\nb\u0001"\\': 11,
      l: [1, '2', { '1': 3 }, null],
    };
    await rowsOf(program, 'Page.insert()', { id: 10, content, title: null });
    const parts = {
      '[0]': 'zero',
      '["0"]': 'zero',
      '["+1"]["01"]': 5,
      '["a\\nb\\u0001\\"\\\\"]': 11,
      '.l["0"]': 1,
      '.l[1]': '2',
      '.l["1"]': '2',
      '.l[2][1]': 3,
      '.l[3]': null,
      '.l["01"]': null,
      '.l["+1"]': null,
      '.l[" 1"]': null,
      '.l[0][0]': null,
      '.l["4294967297"]': null,
    };
    for (const [part, value] of Object.entries(parts)) {
      const path = `p.content${part}`;
      const map = `({v: ${path}, t: toString(${path}), n: toNumber(${path}), none: ${path}==null})`;
      const text = value === null ? null : String(value);
      const n = value === null || value === 'zero' ? null : Number(value);
      const row = { v: value, t: text, n, none: value === null };
      const query = `Page.filter(p=>p.id==10).map(p=>${map})`;
      expect([part, await rowsOf(program, query)]).toEqual([part, [row]]);
    }
    await rowsOf(program, 'Page.delete().filter(p=>p.id==10)');
  });

  test('has names that begin with a hyphen, except on MariaDB', async () => {
    const content = { '-1': 'minus', l: [1, 2] };
    await rowsOf(program, 'Page.insert()', { id: 10, content, title: null });
    const read = 'Page.filter(p=>p.id==10).map(p=>({m: p.content["-1"], none: p.content.l["-1"]}))';
    if (database.url.startsWith('postgresql:')) {
      expect(await rowsOf(program, read)).toEqual([{ m: 'minus', none: null }]);
    } else {
      expect(await refusal(program, read)).toMatchObject({ status: 400, code: 'unsupported' });
    }
    await rowsOf(program, 'Page.delete().filter(p=>p.id==10)');
  });
}
