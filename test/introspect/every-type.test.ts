/**
 * Columns of every type are read, filtered by their value, written, exported, imported and created by
 * `push`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql, withoutRows } from './own-database.js';
import { refusal } from './served-suite.js';

/** A column type, with a value as SQL and as it is answered, and another value as it is written. */
interface Case {
  readonly type: string;
  readonly property: string;
  readonly sql: string;
  readonly read: unknown;
  readonly written: unknown;
  /** Set if the database cannot compare values of the type. */
  readonly isOpaque?: true;
}

const uuid = '123e4567-e89b-42d3-a456-426614174000';
const otherUuid = 'ffffffff-0000-4000-8000-000000000001';

const shared: readonly Case[] = [
  { type: 'smallint', property: 'integer', sql: '-7', read: -7, written: 32767 },
  { type: 'bigint', property: 'integer', sql: '42', read: 42, written: -9007199254740991 },
  { type: 'numeric(12,4)', property: 'decimal', sql: '20.8', read: 20.8, written: -0.0001 },
  { type: 'double precision', property: 'number', sql: '0.1', read: 0.1, written: 1e-7 },
  { type: 'boolean', property: 'boolean', sql: 'true', read: true, written: false },
  { type: 'varchar(20)', property: 'string', sql: "'it''s'", read: "it's", written: 'ü "q" \\' },
  { type: 'text', property: 'string', sql: "'x'", read: 'x', written: 'y'.repeat(300) },
  {
    type: 'date',
    property: 'date',
    sql: "'2024-02-29'",
    read: '2024-02-29T00:00:00.000Z',
    written: '1999-12-31T00:00:00.000Z',
  },
];

const postgresql: readonly Case[] = [
  ...shared,
  {
    type: 'text[]',
    property: 'string[]',
    sql: String.raw`ARRAY['a', 'b "q" \ {},', NULL, 'NULL', '']`,
    read: ['a', String.raw`b "q" \ {},`, null, 'NULL', ''],
    written: ['ü', "it's"],
    isOpaque: true,
  },
  {
    type: 'numeric(12,4)[]',
    property: 'decimal[]',
    sql: "'{20.8,-0.0001,NULL}'",
    read: [20.8, -0.0001, null],
    written: [],
    isOpaque: true,
  },
  {
    type: 'timestamptz[]',
    property: 'dateTime[]',
    sql: "'{2024-02-29 12:00:00.123456+00}'",
    read: ['2024-02-29T12:00:00.123456Z'],
    written: ['1999-12-31T23:59:59.000Z', null],
    isOpaque: true,
  },
  {
    type: 'uuid[]',
    property: 'uuid[]',
    sql: `'{${uuid}}'`,
    read: [uuid],
    written: [otherUuid, uuid],
    isOpaque: true,
  },
  {
    type: 'timestamptz',
    property: 'dateTime',
    sql: "'2024-02-29 12:00:00.123456+00'",
    read: '2024-02-29T12:00:00.123456Z',
    written: '1999-12-31T23:59:59.000Z',
  },
  { type: 'time', property: 'time', sql: "'12:30'", read: '12:30:00', written: '01:02:03.000004' },
  { type: 'uuid', property: 'uuid', sql: `'${uuid}'`, read: uuid, written: otherUuid },
  { type: 'bytea', property: 'binary', sql: "'\\x00ff27'", read: 'AP8n', written: 'XHg0MQDDKA==' },
  { type: 'interval', property: 'interval', sql: "'1 day 2h'", read: 'P1DT2H', written: 'P1Y' },
  { type: 'inet', property: 'inet', sql: "'10.0.0.1'", read: '10.0.0.1', written: '::1' },
  { type: 'cidr', property: 'inet', sql: "'10.0.0.0/8'", read: '10.0.0.0/8', written: '::/0' },
  {
    type: 'macaddr',
    property: 'string',
    sql: "'08:00:2b:01:02:03'",
    read: '08:00:2b:01:02:03',
    written: '00:00:00:00:00:01',
  },
  { type: 'oid', property: 'integer', sql: '42', read: 42, written: 4294967295 },
  { type: 'mood', property: 'string', sql: "'ok'", read: 'ok', written: 'sad' },
  {
    type: 'xml',
    property: 'xml',
    sql: "'<a/>'",
    read: '<a/>',
    written: '<b>1</b>',
    isOpaque: true,
  },
  {
    type: 'jsonb',
    property: 'json',
    sql: `'{"a": ["tab\\t \\"q\\" \\\\ \\n"]}'`,
    read: { a: ['tab\t "q" \\ \n'] },
    written: 'x',
    isOpaque: true,
  },
];

const mariadb: readonly Case[] = [
  ...shared,
  {
    type: 'datetime(6)',
    property: 'dateTime',
    sql: "'2024-02-29 12:00:00.123456'",
    read: '2024-02-29T12:00:00.123456Z',
    written: '1999-12-31T23:59:59.000Z',
  },
  {
    type: 'time(6)',
    property: 'time',
    sql: "'12:30'",
    read: '12:30:00',
    written: '01:02:03.000004',
  },
  { type: 'uuid', property: 'uuid', sql: `'${uuid}'`, read: uuid, written: otherUuid },
  { type: 'blob', property: 'binary', sql: "x'00ff27'", read: 'AP8n', written: 'XHg0MQDDKA==' },
  { type: 'varbinary(90)', property: 'binary', sql: "''", read: '', written: 'A'.repeat(80) },
  { type: 'inet6', property: 'inet', sql: "'::1'", read: '::1', written: '2001:db8::2' },
  { type: "enum('ok','sad')", property: 'string', sql: "'ok'", read: 'ok', written: 'sad' },
  {
    type: 'json',
    property: 'json',
    sql: `'{"a": ["tab\\\\t \\\\"q\\\\" \\\\\\\\ \\\\n"]}'`,
    read: { a: ['tab\t "q" \\ \n'] },
    written: 'x',
    isOpaque: true,
  },
];

function sqlOf(cases: readonly Case[], binary: string): string {
  const columns = cases.map(({ type }, index) => `c${index} ${type}`);
  return `CREATE TABLE everything (id integer PRIMARY KEY, ${columns.join(', ')});
    CREATE TABLE owner (id uuid PRIMARY KEY, mark ${binary} UNIQUE NOT NULL);
    CREATE TABLE item (id integer PRIMARY KEY, owner_id uuid REFERENCES owner (id),
      mark ${binary} REFERENCES owner (mark));
    CREATE TABLE loose (mark ${binary}, document json);
    INSERT INTO loose VALUES (NULL, '[1]');
    INSERT INTO everything VALUES (1, ${cases.map(({ sql }) => sql).join(', ')});
    INSERT INTO everything (id) VALUES (2);`;
}

describe('every type on PostgreSQL', () => {
  const sql = `CREATE TYPE mood AS ENUM ('ok', 'sad'); ${sqlOf(postgresql, 'bytea')}`;
  suite(postgresql, useOwnPostgresql(sql), useOwnPostgresql(withoutRows(sql)));
});

describeMariadb('every type', () => {
  const sql = sqlOf(mariadb, 'varbinary(16)').replaceAll(
    / REFERENCES (\w+) (\(\w+\))/g,
    ' REFERENCES $1 $2',
  );
  suite(mariadb, useOwnMariadb(sql), useOwnMariadb(withoutRows(sql)));
});

function suite(cases: readonly Case[], database: OwnDatabase, empty: OwnDatabase): void {
  let program: Program;
  const folder = makeTemporaryDirectory();
  const rowOf = (id: number, value: (each: Case) => unknown) => ({
    id,
    ...Object.fromEntries(cases.map((each, index) => [`c${index}`, value(each)])),
  });
  const first = rowOf(1, ({ read }) => read);
  const nothing = rowOf(2, () => null);
  const written = rowOf(3, (each) => each.written);

  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('has a property of the matching type', async () => {
    const { properties } = (await ask(program, '/entities/Everything')).json() as {
      readonly properties: readonly { readonly type: string }[];
    };
    expect(properties.map(({ type }) => type)).toEqual([
      'integer',
      ...cases.map(({ property }) => property),
    ]);
  });

  test('is read', async () => {
    expect(await rowsOf(program, 'Everything.filter(p=>p.id<3).sort(p=>p.id)')).toEqual([
      first,
      nothing,
    ]);
    const csv = await post(
      program,
      '/execute',
      { query: 'Everything.filter(p=>p.id==1)' },
      { accept: 'text/csv' },
    );
    expect(csv.status).toBe(200);
  });

  test('is written, by an insert, by an update and by an upsert', async () => {
    expect(await rowsOf(program, 'Everything.insert()', written)).toEqual(written);
    const read = 'Everything.filter(p=>p.id==3)';
    expect(await rowsOf(program, read)).toEqual([written]);
    await rowsOf(
      program,
      'Everything.update()',
      rowOf(3, () => null),
    );
    expect(await rowsOf(program, read)).toEqual([rowOf(3, () => null)]);
    expect(await rowsOf(program, 'Everything.upsert()', written)).toEqual(written);
    const assigned = cases.map((_, index) => `c${index}: c${index}`).join(', ');
    const update = `Everything.update(p=>({${assigned}})).filter(p=>p.id==3)`;
    expect(
      await rowsOf(
        program,
        update,
        rowOf(3, ({ read: value }) => value),
      ),
    ).toBe(1);
    expect(await rowsOf(program, read)).toEqual([rowOf(3, ({ read: value }) => value)]);
    const many = [4, 5, 6].map((id) => rowOf(id, (each) => (id === 5 ? null : each.written)));
    expect(await rowsOf(program, 'Everything.bulkInsert()', many)).toEqual(many);
    expect(await rowsOf(program, 'Everything.bulkUpsert()', many)).toEqual(many);
    expect(await rowsOf(program, 'Everything.delete().filter(p=>p.id>2)')).toBe(4);
  });

  test('a value that was read finds its row, and can be compared with null', async () => {
    for (const [index, { isOpaque, read, property }] of cases.entries()) {
      const isNull = `Everything.filter(p=>p.c${index}==null && p.id<3).map(p=>p.id)`;
      expect(await rowsOf(program, isNull)).toEqual([{ id: 2 }]);
      const equal = `Everything.filter(p=>p.c${index}==x).map(p=>p.id)`;
      const among = `Everything.filter(p=>in(p.c${index}, xs)).map(p=>p.id)`;
      const groups = `Everything.filter(p=>p.id<3).map(p=>({x: p.c${index}, n: count()}))`;
      if (isOpaque) {
        for (const query of [equal, among, groups, `Everything.distinct(p=>p.c${index})`]) {
          expect(await refusal(program, query, { x: read, xs: [read] })).toMatchObject({
            status: 400,
            code: 'type-mismatch',
          });
        }
        continue;
      }
      expect([property, await rowsOf(program, equal, { x: read })]).toEqual([
        property,
        [{ id: 1 }],
      ]);
      expect(await rowsOf(program, among, { xs: [read] })).toEqual([{ id: 1 }]);
      const found = await rowsOf(program, groups);
      expect(found).toHaveLength(2);
      expect(found).toContainEqual({ x: read, n: 1 });
      const distinct = `Everything.filter(p=>p.id==1).distinct(p=>p.c${index})`;
      expect(await rowsOf(program, distinct)).toEqual([{ [`c${index}`]: read }]);
    }
  });

  test('is exported, imported and exported again with the same result', async () => {
    const exported = await ask(program, '/stages/default/export');
    const other = await startProgram(['--url', empty.url, '--workers', '1']);
    try {
      const stored = await post(other, '/stages/default/import', exported.text);
      expect([stored.status, stored.text]).toEqual([200, expect.any(String)]);
      expect((await ask(other, '/stages/default/export')).json()).toEqual(exported.json());
      // Nothing identifies or sorts its rows.
      expect(await rowsOf(other, 'Loose')).toEqual([{ mark: null, document: [1] }]);
      const equal = (await rowsOf(other, 'Everything.sort(p=>p.id)')) as unknown;
      expect(equal).toEqual([first, nothing]);
    } finally {
      await other.stop();
    }
  });

  test('links rows as a key', async () => {
    const owner = { id: uuid, mark: 'AP8n', items: [{ id: 1, mark: 'AP8n' }, { id: 2 }] };
    await rowsOf(program, 'Owner.insert().include(p=>p.itemsByOwner)', {
      id: owner.id,
      mark: owner.mark,
      itemsByOwner: owner.items,
    });
    const ids = [{ id: 1 }, { id: 2 }];
    const read =
      'Owner.map(p=>p.mark).include(p=>[p.itemsByOwner.map(i=>i.id), p.itemsByMark.map(i=>i.id)])';
    expect(await rowsOf(program, read)).toEqual([
      { mark: 'AP8n', itemsByOwner: ids, itemsByMark: [{ id: 1 }] },
    ]);
    const back =
      'Item.filter(p=>p.id==1).map(p=>p.id).include(p=>[p.owner.map(o=>o.id), p.markOwner.map(o=>o.mark)])';
    expect(await rowsOf(program, back)).toEqual([
      { id: 1, owner: { id: uuid }, markOwner: { mark: 'AP8n' } },
    ]);
    const remove = 'Owner.delete().filter(p=>p.mark==mark).include(p=>p.itemsByOwner)';
    expect(await rowsOf(program, remove, { mark: 'AP8n' })).toBe(1);
  });

  test('an invalid value is refused with the name of its parameter', async () => {
    for (const [index, { property }] of cases.entries()) {
      if (!['uuid', 'binary', 'inet'].includes(property)) continue;
      const parameter = { status: 400, code: 'parameter-type' };
      const byData = `Everything.filter(p=>p.c${index}==x).map(p=>p.id)`;
      const refused = await refusal(program, byData, { x: 'no such!' });
      expect(refused).toMatchObject(parameter);
      expect(refused.detail).toContain("'x'");
      expect(
        await refusal(program, 'Everything.insert()', { id: 9, [`c${index}`]: 'no such!' }),
      ).toMatchObject(parameter);
      const literal = `Everything.filter(p=>p.c${index}=="no such!")`;
      expect(await refusal(program, literal)).toMatchObject({ status: 400, code: 'type-mismatch' });
      const start = `Everything.filter(p=>startsWith(p.c${index}, "x"))`;
      expect(await refusal(program, start)).toMatchObject({ status: 400, code: 'type-mismatch' });
      if (property === 'inet') continue;
      const most = `Everything.map(p=>max(p.c${index}))`;
      expect(await refusal(program, most)).toMatchObject({ status: 400, code: 'type-mismatch' });
    }
  });

  test('string functions accept enums, but not the other types of the database', async () => {
    const place = cases.findIndex(({ sql }) => sql === "'ok'");
    const name = `c${place}`;
    const texts = `Everything.filter(p=>startsWith(p.${name}, "o") && contains(p.${name}, "k")).map(p=>({u: upper(p.${name}), j: p.${name}+"!", n: length(p.${name})}))`;
    expect(await rowsOf(program, texts)).toEqual([{ u: 'OK', j: 'ok!', n: 2 }]);
    expect(await refusal(program, 'Everything.insert()', { id: 9, [name]: 'none' })).toMatchObject({
      status: 422,
    });
    const filter = `Everything.filter(p=>p.${name}==mood)`;
    expect(await refusal(program, filter, { mood: 'none' })).toEqual({
      status: 400,
      code: 'parameter-type',
      detail: expect.stringMatching(
        /^Parameter 'mood' takes a value of the enum \w+: 'ok', 'sad'\.$/,
      ),
    });
    if (database.dialect !== 'PostgreSQL') return;
    const address = cases.findIndex(({ type }) => type === 'macaddr');
    const start = `Everything.filter(p=>startsWith(p.c${address}, "08"))`;
    const choice = `Everything.update(p=>({c${address}: p.c${address} ?? x})).filter(p=>p.id==1)`;
    const half = `Everything.map(p=>({half: p.c${cases.findIndex(({ type }) => type === 'oid')}/2}))`;
    for (const query of [start, choice, half]) {
      expect(await refusal(program, query, { x: '08:00:2b:01:02:03' })).toMatchObject({
        status: 400,
        code: 'operation-undefined',
      });
    }
    const faults = program.log.filter(({ event }) => event === 'request');
    expect(faults).toEqual([]);
  });

  test('has a suitable column when it is pushed', async () => {
    const made = await callCommand(['introspect', database.url]);
    const file = join(folder, 'schema.yaml');
    const columns = cases.map(({ property }, index) => `{ name: c${index}, type: "${property}" }`);
    const schema = `domain:
  version: 1.0.0
  entities:
    - name: Pushed
      primaryKey: [id]
      properties: [{ name: id, type: uuid }, ${columns.join(', ')}]
    - name: everything
      primaryKey: [id]
      properties: [{ name: id, type: integer }, { name: c6 }]
infrastructure:
  sources:
    - { name: main, dialect: ${database.dialect}, connection: '${empty.url}' }`;
    expect(made.code).toBe(0);
    writeFileSync(file, schema);
    const pushed = await callCommand(['push', '--schema', file]);
    expect([pushed.code, pushed.stderr]).toEqual([0, '']);
    expect(await callCommand(['diff', '--schema', file])).toMatchObject({ code: 0 });
    const other = await startProgram(['--schema', file, '--workers', '1']);
    try {
      // A string without a length in the schema has the length of its column.
      const row = { ...first, id: uuid };
      expect(await rowsOf(other, 'Pushed.insert()', row)).toEqual(row);
      expect(await rowsOf(other, 'Pushed.filter(p=>p.id==id)', { id: uuid })).toEqual([row]);
      const c6 = 'x'.repeat(81);
      expect(await refusal(other, 'Pushed.insert()', { id: otherUuid, c6 })).toMatchObject({
        status: 422,
        code: 'value-too-long',
      });
      expect(await rowsOf(other, 'everything.insert()', { id: 9, c6 })).toEqual({ id: 9, c6 });
    } finally {
      await other.stop();
    }
  });
}
