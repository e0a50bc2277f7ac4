/** Rows in the console: columns, order, lines, CSV; and the values of parameters. */
import { describe, expect, test } from 'vitest';
import { formatSql, sqlTokens } from '../../../src/console/plan/sql.js';
import {
  enteredParameters,
  inputText,
  readInput,
  valueAt,
  withValue,
} from '../../../src/console/query/parameter-values.js';
import { columnsOf, nestedRows } from '../../../src/console/rows/columns.js';
import { ExactNumber } from '../../../src/console/rows/exact-json.js';
import { toCsv } from '../../../src/console/rows/export-rows.js';
import { type Line, lineAdder } from '../../../src/console/rows/lines.js';
import { sorted } from '../../../src/console/rows/sort.js';
import { LINE_PX, windowOf } from '../../../src/console/rows/window.js';
import { layoutOf } from '../../../src/console/schema/layout.js';

describe('sorted rows', () => {
  const rows = ['b', null, 'A', 10, 9, new ExactNumber('12345678901234567890'), [1, 2], true].map(
    (x) => ({ x }),
  );

  test('have numbers first, then strings, and nulls last', () => {
    const order = sorted(rows, { column: 'x', isDescending: false }).map(({ x }) => x);
    expect(order).toEqual([
      true,
      [1, 2],
      9,
      10,
      new ExactNumber('12345678901234567890'),
      'A',
      'b',
      null,
    ]);
  });

  test('are reversed in descending order, as in the language', () => {
    const order = sorted(rows, { column: 'x', isDescending: true }).map(({ x }) => x);
    expect(order[0]).toBeNull();
  });

  test.each([
    ['9007199254740993', '9007199254740994', '9007199254740995'],
    ['-9007199254740995', '-9007199254740994', '-9007199254740993'],
    ['0.10000000000000000001', '0.1000000000000000001', '0.100000000000000001'],
  ])('are in the order of all digits: %s', (...texts) => {
    const given = texts.toReversed().map((text) => ({ x: new ExactNumber(text) }));
    const order = sorted(given, { column: 'x', isDescending: false });
    expect(order).toEqual(given.toReversed());
  });
});

describe('the window of a list', () => {
  test.each([0, 10, 1000, 300_000, 1_000_000, 5_000_000])(
    'reaches both ends of %d lines',
    (count) => {
      const seen = 600;
      const start = windowOf(count, { top: 0, height: seen });
      expect(start.height).toBeLessThanOrEqual(10_000_000);
      expect(start).toMatchObject({ from: 0, shift: 0 });
      const top = Math.max(0, start.height + LINE_PX - seen);
      const end = windowOf(count, { top, height: seen });
      expect(end.to).toBe(count);
      // The last line is drawn at the end of the element.
      expect(count * LINE_PX + end.shift).toBeCloseTo(start.height, 3);
    },
  );

  test('shows every line of a list that is too high', () => {
    const count = 1_000_000;
    const shown = (top: number) => windowOf(count, { top, height: 600 });
    for (let top = 0; top < 9_000_000; top += 100) {
      expect(shown(top + 100).from).toBeLessThan(shown(top).to);
    }
  });
});

test('lines contain the rows of unfolded cells, indented', () => {
  const rows = [
    { id: 1, of: [{ a: 1, in: { b: 2 } }] },
    { id: 2, of: [] },
  ];
  const unfolded = new Set(['0/of', '0/of/0/in']);
  const lines: Line[] = [];
  const add = lineAdder(columnsOf(rows), unfolded);
  for (const [index, row] of rows.entries()) add(lines, row, index);
  expect(lines.map(({ kind, depth, path }) => `${kind} ${depth} ${path}`)).toEqual([
    'row 0 0',
    'head 1 0/of',
    'row 1 0/of/0',
    'head 2 0/of/0/in',
    'row 2 0/of/0/in/0',
    'row 0 1',
  ]);
  expect(nestedRows('x')).toEqual([]);
});

test('CSV quotes what needs it, and distinguishes null from an empty text', () => {
  const rows = [{ a: 'x,"y"', b: null }, { a: '', b: [{ c: 1 }] }, { c: new ExactNumber('1.50') }];
  expect(toCsv(rows)).toBe('a,b,c\r\n"x,""y""",,\r\n"","[ { ""c"": 1 } ]",\r\n,,1.50\r\n');
});

describe('parameters', () => {
  test('of included relations are entered with the others, each once', () => {
    const children = [
      { name: 'ServiceParentId', type: 'any' },
      { name: 'a', type: 'integer' },
      { name: 'b', type: 'string' },
    ];
    const found = enteredParameters([
      { name: 'a', type: 'integer' },
      { name: 'details', type: 'Orders.details', children },
    ]);
    expect(found.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test.each([
    ['12', 'integer', 12],
    ['12345678901234567890', 'integer', '12345678901234567890'],
    ['1.50', 'decimal', '1.50'],
    ['', 'integer', undefined],
    ['', 'string', ''],
    ['true', 'boolean', true],
    ['', 'boolean', undefined],
    ['1, 2', '[integer]', [1, 2]],
    ['a,b', 'string[]', ['a', 'b']],
    ['', '[integer]', []],
    ['{"a":1}', 'json', { a: 1 }],
    ['{', 'any', '{'],
  ])('read "%s" of the type %s as %j', (text, type, value) => {
    expect(readInput(text, type)).toEqual(value);
  });

  test('are shown as they were entered', () => {
    expect(inputText([1, 'b'], '[any]')).toBe('1, b');
    expect(inputText(null, 'string')).toBe('');
    expect(inputText({ a: 1 }, 'json')).toBe('{"a":1}');
    const long = new ExactNumber('9007199254740993');
    expect(inputText({ a: [long, 2] }, 'json')).toBe('{"a":[9007199254740993,2]}');
    expect(valueAt({ a: long }, 'a.text')).toBeUndefined();
  });

  test('with dots are members of members', () => {
    const data = withValue({ a: { b: 1 }, c: 2 }, 'a.d', 3);
    expect(data).toEqual({ a: { b: 1, d: 3 }, c: 2 });
    expect(valueAt(data, 'a.d')).toBe(3);
    expect(withValue(data, 'a.b', undefined)).toEqual({ a: { d: 3 }, c: 2 });
    expect(valueAt(data, 'toString')).toBeUndefined();
  });
});

describe('SQL', () => {
  const sql = `SELECT o.A AS "from", CASE WHEN o.B = 'x, y' THEN 1 END AS "b" FROM "Order Details" o LEFT JOIN T t ON t.K = o.K WHERE o.A IN (SELECT a FROM b WHERE c = $1) GROUP BY o.A ORDER BY o.A LIMIT 5`;

  test('has a line for each clause, and one for each column of a long list', () => {
    expect(formatSql(sql).split('\n')).toEqual([
      'SELECT o.A AS "from", CASE WHEN o.B = \'x, y\' THEN 1 END AS "b"',
      'FROM "Order Details" o',
      'LEFT JOIN T t ON t.K = o.K',
      'WHERE o.A IN (SELECT a FROM b WHERE c = $1)',
      'GROUP BY o.A',
      'ORDER BY o.A',
      'LIMIT 5',
    ]);
    const long = `SELECT ${Array.from({ length: 9 }, (_, at) => `o.LongName${at}`).join(', ')}, f(1, 2) FROM T`;
    expect(formatSql(long).split('\n')).toHaveLength(11);
  });

  test('preserves every character', () => {
    expect(
      sqlTokens(sql)
        .map(({ text }) => text)
        .join(''),
    ).toBe(sql);
    expect(formatSql(sql).replaceAll(/\s+/g, ' ')).toBe(sql);
  });
});

describe('the diagram', () => {
  const entity = (name: string, ...targets: readonly string[]) => ({
    name,
    primaryKey: [],
    uniqueKey: [],
    properties: [],
    relations: targets.map((target, at) => ({
      name: `r${at}`,
      type: 'oneToMany' as const,
      entity: target,
    })),
  });

  test('places an entity to the right of those that it refers to, even in a cycle', () => {
    const { boxes, edges } = layoutOf([
      entity('A'),
      entity('B', 'A', 'B'),
      entity('C', 'B', 'D'),
      entity('D', 'C'),
    ]);
    const x = Object.fromEntries(boxes.map((box) => [box.entity.name, box.x]));
    expect(x['B']).toBeGreaterThan(x['A'] ?? Infinity);
    expect(x['C']).toBeGreaterThan(x['B'] ?? Infinity);
    expect(edges).toHaveLength(5);
  });

  test('has boxes that do not overlap and are within its size', () => {
    const many = Array.from({ length: 60 }, (_, at) => entity(`E${at}`, `E${(at * 7) % 60}`));
    const { boxes, width, height } = layoutOf(many);
    expect(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(60);
    expect(boxes.every(({ x, y }) => x >= 0 && y >= 0 && x < width && y < height)).toBe(true);
  });
});
