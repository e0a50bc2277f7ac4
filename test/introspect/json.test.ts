/** Columns of JSON: values both ways, on every way of a value into and out of a database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql, withoutRows } from './own-database.js';
import { refusal } from './served-suite.js';

function sqlOf(type: string): string {
  return `CREATE TABLE page (id integer PRIMARY KEY, content ${type}, title varchar(20));
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
  const sql = sqlOf('json');
  suite(useOwnMariadb(sql), useOwnMariadb(withoutRows(sql)));
});

function suite(database: OwnDatabase, empty: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const query = 'Page.filter(p=>p.id<5).sort(p=>p.id).map(p=>[p.id, p.content])';

  test('is answered as JSON, with all its digits and in every format', async () => {
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
    'is written as it is given: %j',
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

  test('is found where it is null, and refused where it would be compared', async () => {
    const there = 'Page.filter(p=>p.content!=null).count()';
    expect(await rowsOf(program, there)).toEqual([{ count: 3 }]);
    expect(await refusal(program, 'Page.filter(p=>p.content==x)', { x: 1 })).toMatchObject({
      status: 400,
      code: 'type-mismatch',
      detail: 'JSON is compared with null only.',
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
      // The number is the same, and an import reads it as any other.
      expect(text).toBe(rows.replace('2.50', '2.5'));
    } finally {
      await other.stop();
    }
  });
}
