/**
 * Checks the table of types in docs/databases.md: every column type has the property type and the form
 * of JSON that the table says, and an export and an import preserve its values, as seen by the database.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markedPart } from '../docs/tables.js';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql, withoutRows } from './own-database.js';

/** The declaration of a column type, and values as SQL. */
interface Column {
  readonly declared?: string;
  readonly values: readonly string[];
  /** SQL for a text that identifies the value; by default, the database's own text format. */
  readonly text?: (column: string) => string;
}

const texts = [`'it''s "q" \\ ü 😀'`, "''", "'NULL'", `'${'x'.repeat(50)}'`];
const uuid = "'123e4567-e89b-42d3-a456-426614174000'";
const document = `'{"a": [1, 2.5, null, 12345678901234567890], "ü": "tab\\\\t"}'`;

const moments = [
  "'2024-02-29 12:30:00.123456'",
  "'2024-02-29 12:30:00'",
  "'1969-12-31 23:59:59.000001'",
  "'1999-12-31 23:59:59.999'",
];

const postgresql: Readonly<Record<string, Column>> = {
  int2: { values: ['-32768', '0', '32767'] },
  int4: { values: ['-2147483648', '2147483647'] },
  int8: { values: ['-9223372036854775808', '9223372036854775807'] },
  oid: { values: ['0', '4294967295'] },
  numeric: { values: ['12345678901234567890123.000000000001', '-0.0001', '0', '1e50'] },
  float4: { values: ['0.1', '-1e-30', '16777217', '3.4e38'] },
  float8: { values: ['0.1', '5e-324', '-1.7976931348623157e308', '1e22', '123456789012345680'] },
  bool: { values: ['true', 'false'] },
  varchar: { declared: 'varchar(60)', values: texts },
  bpchar: { declared: 'char(60)', values: texts },
  text: { values: texts },
  name: { values: ["'a name'", "''"] },
  char: { declared: '"char"', values: ["'a'"] },
  citext: { values: texts },
  macaddr: { values: ["'08:00:2b:01:02:03'"] },
  macaddr8: { values: ["'08:00:2b:01:02:03:04:05'"] },
  timestamptz: { values: [...moments.map((text) => text.replace(/'$/, "+00'")), "'0001-01-01'"] },
  timestamp: { values: [...moments, "'9999-12-31 23:59:59.999999'"] },
  date: { values: ["'2024-02-29'", "'0001-01-01'", "'9999-12-31'"] },
  time: { values: ["'00:00'", "'23:59:59.999999'", "'12:30:00.5'"] },
  json: {
    values: [document, "'[]'", `'"text"'`, "'1'", "'false'"],
    text: (column) => `${column}::jsonb`,
  },
  jsonb: { values: [document, "'{}'", `'"text"'`, "'-0.5'", "'true'"] },
  uuid: { values: [uuid] },
  bytea: { values: ["'\\x00ff275c0a'", "''", `decode('${'ab'.repeat(3000)}', 'hex')`] },
  interval: {
    values: [
      "'1 year 2 mons -3 days 04:05:06.789'",
      "'-00:00:00.000001'",
      "'0'",
      "'-1 mon 100:00:00'",
    ],
  },
  inet: { values: ["'192.168.0.1'", "'10.0.0.0/8'", "'::1'", "'fe80::1/64'"] },
  cidr: { values: ["'10.0.0.0/8'", "'::/0'"] },
  xml: { values: ['\'<a b="c">ü</a>\'', "'text'"] },
};

const named = texts.map((text) => text.replace('😀', '\\n'));
const hex = (column: string) => `HEX(${column})`;
const ofText = (declared: string): Column => ({ declared, values: texts.map(escaped), text: hex });
const ofBytes = (declared: string, values: readonly string[]): Column => ({
  declared,
  values,
  text: hex,
});

/** Doubles the backslashes of a string literal, as MariaDB requires. */
function escaped(literal: string): string {
  return literal.replaceAll('\\', '\\\\');
}

const mariadb: Readonly<Record<string, Column>> = {
  'tinyint(1)': { values: ['0', '1'] },
  'bit(1)': { values: ["b'0'", "b'1'"], text: (column) => `${column} + 0` },
  tinyint: { declared: 'tinyint(4)', values: ['-128', '127'] },
  smallint: { values: ['-32768', '32767'] },
  mediumint: { values: ['-8388608', '8388607'] },
  int: { declared: 'int unsigned', values: ['0', '4294967295'] },
  bigint: { declared: 'bigint unsigned', values: ['0', '18446744073709551615'] },
  bit: { declared: 'bit(64)', values: ["b'10101010'", "b'0'"], text: (column) => `${column} + 0` },
  year: { values: ['1901', '2155'] },
  decimal: {
    declared: 'decimal(65,30)',
    values: ['12345678901234567890123456789012345.123456789012345678901234567890', '-0.0001'],
  },
  float: { values: ['0.1', '-1e-30', '16777217'], text: (column) => `CAST(${column} AS DOUBLE)` },
  double: { values: ['0.1', '-1.7976931348623157e308', '1e22', '2.2250738585072014e-308'] },
  char: ofText('char(60)'),
  varchar: ofText('varchar(60)'),
  tinytext: ofText('tinytext'),
  text: ofText('text'),
  mediumtext: ofText('mediumtext'),
  longtext: ofText('longtext'),
  // MariaDB's catalog cannot store characters outside the Basic Multilingual Plane.
  enum: {
    declared: `enum(${named.map(escaped).join(', ')})`,
    values: named.map(escaped),
    text: hex,
  },
  set: { declared: "set('a', 'b')", values: ["'a,b'", "''"], text: hex },
  datetime: { declared: 'datetime(6)', values: [...moments, "'9999-12-31 23:59:59.999999'"] },
  timestamp: {
    declared: 'timestamp(6) NULL',
    values: moments.filter((text) => !text.includes('1969')),
  },
  date: { values: ["'2024-02-29'", "'0001-01-01'", "'9999-12-31'"] },
  time: { declared: 'time(6)', values: ["'00:00'", "'23:59:59.999999'", "'12:30:00.5'"] },
  json: {
    values: [document.replaceAll('\\', '\\\\'), "'[]'", `'"text"'`, "'1'"].map(compact),
    text: hex,
  },
  uuid: { values: [uuid] },
  binary: ofBytes('binary(5)', ["x'00ff275c0a'", "x'0000000000'"]),
  varbinary: ofBytes('varbinary(90)', ["x'00ff275c0a'", "''"]),
  tinyblob: ofBytes('tinyblob', ["x'00ff275c0a'"]),
  blob: ofBytes('blob', ["x'00ff275c0a'", `x'${'ab'.repeat(3000)}'`]),
  mediumblob: ofBytes('mediumblob', ["x'00ff275c0a'"]),
  longblob: ofBytes('longblob', ["x'00ff275c0a'"]),
  inet4: { values: ["'192.168.0.1'"] },
  inet6: { values: ["'::1'", "'2001:db8::2'"] },
};

/**
 * Removes the spaces after `:` and `,`. MariaDB stores JSON as text, so the values must look as Rowgate
 * writes them.
 */
function compact(literal: string): string {
  return literal.replaceAll(': ', ':').replaceAll(', ', ',');
}

/** The form of JSON that the table gives for each type. */
const forms: Readonly<Record<string, RegExp>> = {
  integer: /^-?\d+$/,
  decimal: /^-?\d+(\.\d*[1-9])?$/,
  number: /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/,
  boolean: /^(true|false)$/,
  string: /^".*"$/s,
  dateTime: /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3}|\d{6})Z"$/,
  date: /^"\d{4}-\d\d-\d\dT00:00:00\.000Z"$/,
  time: /^"\d\d:\d\d:\d\d(\.(\d{3}|\d{6}))?"$/,
  json: /^([[{"].*[\]}"]|-?\d.*|true|false)$/s,
  uuid: /^"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}"$/,
  binary: /^"[\w+/]*=*"$/,
  interval: /^"P.*"$/,
  inet: /^"[\da-f.:]+(\/\d+)?"$/,
  xml: /^".*"$/s,
};

/** The column types of a dialect by property type, as in the table. */
function documented(place: 1 | 2): ReadonlyMap<string, readonly string[]> {
  const page = readFileSync(new URL('../../docs/databases.md', import.meta.url), 'utf8');
  const rows = markedPart(page, 'types').split('\n').slice(2);
  return new Map(
    rows.map((row) => {
      const cells = row.split(' | ').map((cell) => cell.replace(/^\| /, ''));
      const [, columns = ''] = (cells[place] ?? '').split('; ');
      return [(cells[0] ?? '').replaceAll('`', ''), columns.split(/[` ]+/).filter(Boolean)];
    }),
  );
}

interface Case extends Column {
  readonly name: string;
  readonly property: string;
}

/** Every column type in the table, with its values; arrays have the values of their item type. */
function casesOf(place: 1 | 2, columns: Readonly<Record<string, Column>>): readonly Case[] {
  const named = [...documented(place)].flatMap(([property, names]) =>
    names
      .filter((name) => !absent.has(name) && !name.endsWith('[]'))
      .map((name) => ({ property, name })),
  );
  return named.map(({ property, name }) => {
    const column = columns[name];
    if (!column) throw new Error(`There are no values for ${name}.`);
    return { name, property, ...column };
  });
}

/** Types of extensions that the embedded server does not have. */
const absent = new Set(['ltree']);

describe('the types of PostgreSQL', () => {
  const scalars = casesOf(1, postgresql);
  const withoutArrays = new Set(['json', 'binary', 'xml']);
  const arrays = scalars
    .filter(({ property, name }) => !withoutArrays.has(property) && !name.startsWith('macaddr'))
    .map((each): Case => {
      const { name, property, declared = name, values } = each;
      const type = `${declared}[]`;
      const full = `ARRAY[${[...values, 'NULL'].join(', ')}]::${type}`;
      return {
        name: `${name}[]`,
        property: `${property}[]`,
        declared: type,
        values: [full, `'{}'::${type}`],
      };
    });
  const sql = `CREATE EXTENSION citext; ${sqlOf([...scalars, ...arrays])}`;
  suite([...scalars, ...arrays], useOwnPostgresql(sql), useOwnPostgresql(withoutRows(sql)));

  test('include every array that the table names', () => {
    const names = documented(1).get('string[]') ?? [];
    expect(names.filter((name) => !absent.has(name)).sort()).toEqual(
      arrays
        .filter(({ property }) => property === 'string[]')
        .map(({ name }) => name)
        .sort(),
    );
  });
});

describeMariadb('the types', () => {
  const cases = casesOf(2, mariadb);
  const sql = sqlOf(cases);
  suite(cases, useOwnMariadb(sql), useOwnMariadb(withoutRows(sql)));
});

const nameOf = (index: number) => `c${index}`;

/** Creates a row for each value of the longest list; shorter lists are repeated. */
function sqlOf(cases: readonly Case[]): string {
  const columns = cases.map(({ name, declared = name }, index) => `${nameOf(index)} ${declared}`);
  const rows = Array.from(
    { length: Math.max(...cases.map(({ values }) => values.length)) },
    (_, row) => {
      const values = cases.map((each) => each.values[row % each.values.length] ?? 'NULL');
      return `(${[row + 1, ...values].join(', ')})`;
    },
  );
  return `CREATE TABLE every (id integer PRIMARY KEY, ${columns.join(', ')});
    INSERT INTO every VALUES ${rows.join(', ')};
    INSERT INTO every (id) VALUES (99);`;
}

function suite(cases: readonly Case[], database: OwnDatabase, empty: OwnDatabase): void {
  let program: Program;
  let other: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
    other = await startProgram(['--url', empty.url, '--workers', '1']);
  });
  afterAll(() => Promise.all([program.stop(), other.stop()]));

  /** The rows in the database's text format, by column. */
  async function stored({ texts: read, dialect }: OwnDatabase) {
    const own = dialect === 'PostgreSQL' ? (column: string) => `${column}::text` : asText;
    const list = cases.map(({ text = own }, index) => text(nameOf(index)));
    const rows = await read(`SELECT ${['id', ...list].join(', ')} FROM every ORDER BY id`);
    return cases.map(({ name }, index) => [name, rows.map((row) => String(row[index + 1]))]);
  }

  test('have the property types in the table', async () => {
    const { properties } = (await ask(program, '/entities/Every')).json() as {
      readonly properties: readonly { readonly type: string }[];
    };
    const found = properties.slice(1).map(({ type }, index) => [cases[index]?.name, type]);
    expect(found).toEqual(cases.map(({ name, property }) => [name, property]));
  });

  test('have the form of JSON in the table', async () => {
    for (const [index, { name, property }] of cases.entries()) {
      const form = forms[property];
      if (!form) continue;
      const query = `Every.filter(p=>p.id<99).map(p=>p.${nameOf(index)})`;
      const { text } = await post(program, '/execute', { query });
      const values = text.slice(1, -1).split(new RegExp(`(?<=\\}),(?=\\{"${nameOf(index)}")`));
      for (const value of values) {
        const json = value.slice(`{"${nameOf(index)}":`.length, -1);
        expect([name, json]).toEqual([name, expect.stringMatching(form)]);
      }
    }
  });

  test('are the same in the database after an export and an import', async () => {
    const { text } = await ask(program, '/stages/default/export');
    const imported = await post(other, '/stages/default/import', text);
    expect([imported.status, imported.text]).toEqual([200, expect.any(String)]);
    expect(await stored(empty)).toEqual(await stored(database));
    expect((await ask(other, '/stages/default/export')).text).toBe(text);
  });

  test.each(['insert', 'bulkInsert', 'upsert', 'update'])(
    'are the same in the database after an %s of the answered values',
    async (clause) => {
      await rowsOf(other, 'Every.deleteAll()');
      if (clause === 'update') {
        await empty.run(`INSERT INTO every (id) ${ids(database)}`);
      }
      // The text of the rows is passed on unchanged: a client that reads numbers as doubles would round
      // some of them.
      const { text } = await post(program, '/execute', { query: 'Every.sort(p=>p.id)' });
      const rows = text.slice(1, -1).split(/(?<=\}),(?=\{"id":)/);
      const data = clause === 'bulkInsert' ? [text] : rows;
      for (const each of data) {
        const body = `{"query": "Every.${clause}()", "data": ${each}}`;
        const answer = await post(other, '/execute', body);
        expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
        if (clause !== 'update') expect(answer.text).toBe(each);
      }
      expect(await stored(empty)).toEqual(await stored(database));
    },
  );

  function ids({ dialect }: OwnDatabase): string {
    const list = Array.from(
      { length: Math.max(...cases.map((each) => each.values.length)) },
      (_, i) => i + 1,
    );
    const rows = [...list, 99].map(
      (id) => `SELECT ${id}${dialect === 'MariaDB' ? ' FROM DUAL' : ''}`,
    );
    return rows.join(' UNION ALL ');
  }
}

function asText(column: string): string {
  return `CAST(${column} AS CHAR)`;
}
