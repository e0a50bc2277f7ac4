/** Related columns of different types of the database: equal keys belong together, whatever their texts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

/** A column of the database, and a value in it. */
type Key = readonly [property: string, column: string, value: string];

interface Pair {
  readonly parent: Key;
  readonly child: Key;
}

const onPostgresql: readonly Pair[] = [
  {
    parent: ['dateTime', 'timestamptz', '2024-02-29 12:30:00+00'],
    child: ['dateTime', 'timestamp', '2024-02-29 12:30:00'],
  },
  { parent: ['dateTime', 'timestamp', '2024-02-29'], child: ['dateTime', 'date', '2024-02-29'] },
  { parent: ['interval', 'interval', '1 day'], child: ['interval', 'interval', '24:00:00'] },
  { parent: ['decimal', 'numeric(9,2)', '7'], child: ['decimal', 'integer', '7'] },
  { parent: ['integer', 'integer', '7'], child: ['decimal', 'numeric(9,2)', '7'] },
  { parent: ['integer', 'integer', '7'], child: ['number', 'float8', '7'] },
  { parent: ['number', 'float8', '7'], child: ['decimal', 'numeric(9,2)', '7'] },
  { parent: ['decimal', 'numeric(9,2)', '7'], child: ['integer', 'integer', '7'] },
  { parent: ['decimal', 'numeric(9,2)', '7'], child: ['any', 'varchar(9)', '7.00'] },
  { parent: ['number', 'real', '0.1'], child: ['number', 'real', '0.1'] },
];

const onMariadb: readonly Pair[] = [
  {
    parent: ['dateTime', 'datetime', '2024-02-29 12:30:00'],
    child: ['dateTime', 'datetime(6)', '2024-02-29 12:30:00'],
  },
  { parent: ['time', 'time(3)', '12:30:00'], child: ['time', 'time', '12:30:00'] },
  { parent: ['integer', 'integer', '7'], child: ['decimal', 'decimal(9,2)', '7'] },
  { parent: ['decimal', 'decimal(9,2)', '7'], child: ['decimal', 'integer', '7'] },
  { parent: ['number', 'float', '0.1'], child: ['number', 'float', '0.1'] },
  {
    parent: ['decimal', 'decimal(20)', '18446744073709549568'],
    child: ['integer', 'bigint unsigned', '18446744073709549568'],
  },
  {
    parent: ['number', 'double', '9223372036854775808'],
    child: ['integer', 'bigint unsigned', '9223372036854775808'],
  },
];

function tablesSql(pairs: readonly Pair[]): string {
  return pairs
    .map(
      ({ parent: [, parent, code], child: [, child, key] }, index) => `
        CREATE TABLE parent${index} (code ${parent} PRIMARY KEY);
        CREATE TABLE child${index} (id integer PRIMARY KEY, parent ${child});
        INSERT INTO parent${index} VALUES ('${code}');
        INSERT INTO child${index} VALUES (1, '${key}'), (2, '${key}'), (3, NULL);`,
    )
    .join('');
}

function schemaOf(pairs: readonly Pair[], { dialect, url }: OwnDatabase): string {
  const entities = pairs.flatMap(({ parent, child }, index) => [
    {
      name: `Parents${index}`,
      primaryKey: ['code'],
      properties: [{ name: 'code', type: parent[0], required: true }],
    },
    {
      name: `Children${index}`,
      primaryKey: ['id'],
      properties: [
        { name: 'id', type: 'integer', required: true },
        { name: 'parentKey', type: child[0] },
      ],
      relations: [
        {
          name: 'parent',
          from: 'parentKey',
          entity: `Parents${index}`,
          to: 'code',
          weak: true,
          target: 'children',
        },
      ],
    },
  ]);
  const mapped = pairs.flatMap((_, index) => [
    { name: `Parents${index}`, mapping: `parent${index}` },
    {
      name: `Children${index}`,
      mapping: `child${index}`,
      properties: [{ name: 'parentKey', mapping: 'parent' }],
    },
  ]);
  return JSON.stringify({
    domain: { entities },
    infrastructure: {
      mappings: [{ name: 'default', entities: mapped }],
      sources: [{ name: 'main', dialect, connection: url }],
    },
  });
}

function suite(pairs: readonly Pair[], database: OwnDatabase): void {
  const folder = mkdtempSync(join(tmpdir(), 'rowgate-test-'));
  let program: Program;
  beforeAll(async () => {
    const file = join(folder, 'schema.json');
    writeFileSync(file, schemaOf(pairs, database));
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true });
  });

  const names = pairs.map(({ parent, child }, index) => [parent[1], child[1], index] as const);

  test.each(names)(
    'a parent of type %s and children of type %s find each other',
    async (_parent, _child, index) => {
      const children = await rowsOf(
        program,
        `Parents${index}.map(p=>p.code).include(p=>p.children.sort(c=>c.id).map(c=>c.id))`,
      );
      expect(children).toMatchObject([{ children: [{ id: 1 }, { id: 2 }] }]);
      const parents = await rowsOf(
        program,
        `Children${index}.sort(p=>p.id).map(p=>p.id).include(p=>p.parent)`,
      );
      const code: unknown = expect.anything();
      expect(parents).toMatchObject([
        { id: 1, parent: { code } },
        { id: 2, parent: { code } },
        { id: 3, parent: null },
      ]);
    },
  );

  // A decimal in a column of integers can only be read.
  test.each(
    names.filter(([, child, index]) => child !== 'integer' || pairs[index]?.child[0] === child),
  )(
    'a parent of type %s is written with children of type %s, and deleted with all of them',
    async (_parent, _child, index) => {
      const parents = await post(program, '/execute', { query: `Parents${index}.map(p=>p.code)` });
      const [row] = JSON.parse(parents.text);
      const write = async (query: string, data?: unknown) => {
        const { status, text } = await post(program, '/execute', { query, data });
        return status === 200 ? undefined : text;
      };
      const data = { ...row, children: [{ id: 7 }] };
      expect(await write(`Parents${index}.upsert().include(p=>p.children)`, data)).toBe(undefined);
      const all = `Parents${index}.filter(p=>p.code!=null).delete().include(p=>p.children)`;
      expect(await write(all)).toBe(undefined);
      expect(await rowsOf(program, `Parents${index}.map(p=>p.code)`)).toEqual([]);
      expect(await rowsOf(program, `Children${index}.map(p=>p.id)`)).toEqual([{ id: 3 }]);
    },
  );
}

const FRACTIONS = `
  CREATE TABLE whole (id bigint PRIMARY KEY);
  CREATE TABLE fraction (id integer PRIMARY KEY, exact decimal(30,2), near double precision);
  INSERT INTO whole VALUES (7), (-3), (9000000000000000);
  INSERT INTO fraction VALUES (1, 7, 7), (2, 7.5, 7.5), (3, -3, -3), (4, 99999999999999999999, 1e30),
    (5, 9000000000000000.5, 9e15), (6, NULL, NULL)`;

/** Decimals and doubles that refer to integers, of which some cannot be equal to any. */
function fractions(database: OwnDatabase): void {
  const relation = (name: string, target: string) => {
    const from = name === 'whole' ? 'exact' : 'near';
    return { name, from, entity: 'whole', to: 'id', weak: true, target };
  };
  const folder = mkdtempSync(join(tmpdir(), 'rowgate-test-'));
  let program: Program;
  beforeAll(async () => {
    const file = join(folder, 'schema.json');
    const id = { name: 'id', type: 'integer', required: true };
    const entities = [
      { name: 'whole', primaryKey: ['id'], properties: [id] },
      {
        name: 'fraction',
        primaryKey: ['id'],
        properties: [id, { name: 'exact', type: 'decimal' }, { name: 'near', type: 'number' }],
        relations: [relation('whole', 'exacts'), relation('other', 'nears')],
      },
    ];
    const sources = [{ name: 'main', dialect: database.dialect, connection: database.url }];
    writeFileSync(file, JSON.stringify({ domain: { entities }, infrastructure: { sources } }));
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true });
  });

  test('a fraction, or a number beyond 64 bits, refers to no integer', async () => {
    const query = 'fraction.sort(p=>p.id).map(p=>p.id).include(p=>[p.whole, p.other])';
    expect(await rowsOf(program, query)).toEqual([
      { id: 1, whole: { id: 7 }, other: { id: 7 } },
      { id: 2, whole: null, other: null },
      { id: 3, whole: { id: -3 }, other: { id: -3 } },
      { id: 4, whole: null, other: null },
      { id: 5, whole: null, other: { id: 9_000_000_000_000_000 } },
      { id: 6, whole: null, other: null },
    ]);
    const alone = 'fraction.filter(p=>p.id==2).map(p=>p.id).include(p=>p.whole)';
    expect(await rowsOf(program, alone)).toEqual([{ id: 2, whole: null }]);
  });

  test('integers find the decimals and doubles that are equal to them', async () => {
    const query = 'whole.sort(p=>p.id).include(p=>[p.exacts.map(c=>c.id), p.nears.map(c=>c.id)])';
    expect(await rowsOf(program, query)).toEqual([
      { id: -3, exacts: [{ id: 3 }], nears: [{ id: 3 }] },
      { id: 7, exacts: [{ id: 1 }], nears: [{ id: 1 }] },
      { id: 9_000_000_000_000_000, exacts: [], nears: [{ id: 5 }] },
    ]);
  });
}

describe('decimals that refer to integers on PostgreSQL', () => {
  fractions(useOwnPostgresql(FRACTIONS));
});

describeMariadb('decimals that refer to integers', () => {
  fractions(useOwnMariadb(FRACTIONS));
});

describe('on PostgreSQL', () => {
  suite(onPostgresql, useOwnPostgresql(tablesSql(onPostgresql)));
});

describeMariadb('keys of other types', () => {
  suite(onMariadb, useOwnMariadb(tablesSql(onMariadb)));
});
