/** Columns without a sign, of bits, and with leading zeros on MariaDB are computed as ordinary integers and booleans. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnMariadb } from './own-database.js';

const sql = `
  CREATE TABLE part (id integer PRIMARY KEY, stock int unsigned, total bigint unsigned, open bit(1), sold bit(1),
    mask bit(16), padded int(5) ZEROFILL);
  CREATE TABLE side (id integer PRIMARY KEY, part_id integer, FOREIGN KEY (part_id) REFERENCES part (id), flag bit(1),
    mask bit(16));
  INSERT INTO part VALUES (1, 5, 9, true, false, 55, 42), (2, 3, 3, false, false, 7, 7), (3, NULL, 0, NULL, true, 300, 0);
  INSERT INTO side VALUES (1, 1, true, 300), (2, 1, false, 7), (3, 2, false, 7);`;

describeMariadb('bits and unsigned integers', () => {
  const database = useOwnMariadb(sql);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  /** Expressions over the second row. */
  const computed: readonly (readonly [expression: string, result: unknown])[] = [
    ['p.stock+(-5)', -2],
    ['p.stock+x', -4],
    ['p.stock-p.total*2', -3],
    ['p.stock*(-1)', -3],
    ['p.total*(-2)', -6],
    ['-p.stock', -3],
    ['abs(p.stock-5)', 2],
    ['~p.stock', -4],
    ['floor(p.stock)-9', -6],
    ['round(p.stock)*(-1)', -3],
    ['toString(p.mask)', '7'],
    ['"n"+p.padded', 'n7'],
    ['p.mask*(-1)', -7],
  ];

  test.each(computed)('%s', async (expression, result) => {
    const query = `Part.filter(p=>p.id==2).map(p=>({r: ${expression}}))`;
    const data = expression.includes('x') ? { x: -7 } : {};
    expect(await rowsOf(program, query, data)).toEqual([{ r: result }]);
  });

  test('sums, conditions and sort keys may be negative', async () => {
    const sums = 'Part.map(p=>({s: sum(p.stock*(-1)), least: min(p.stock+(-9))}))';
    expect(await rowsOf(program, sums)).toEqual([{ s: -8, least: -6 }]);
    const sorted = 'Part.filter(p=>p.stock*(-1)<0).sort(p=>p.stock*(-1)).map(p=>p.id)';
    expect(await rowsOf(program, sorted)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('the least and the greatest of bits', async () => {
    const extremes =
      'Part.map(p=>({a: max(p.open), b: min(p.open), c: max(p.sold), d: min(p.mask), e: max(p.mask), f: max(p.padded)}))';
    expect(await rowsOf(program, extremes)).toEqual([
      { a: true, b: false, c: true, d: 7, e: 300, f: 42 },
    ]);
  });

  test('the first and the last bits of related rows', async () => {
    const ends =
      'Part.sort(p=>p.id).map(p=>({a: p.sides.first(q=>q.flag), b: p.sides.last(q=>q.flag), c: p.sides.first(q=>q.mask)}))';
    expect(await rowsOf(program, ends)).toEqual([
      { a: true, b: false, c: 300 },
      { a: false, b: false, c: 7 },
      { a: null, b: null, c: null },
    ]);
    const groups = 'Part.map(p=>({a: p.sides.first(q=>q.flag), n: count()})).sort(p=>p.a)';
    expect(await rowsOf(program, groups)).toEqual([
      { a: false, n: 1 },
      { a: true, n: 1 },
      { a: null, n: 1 },
    ]);
  });

  test('a choice between bits', async () => {
    const choices =
      'Part.sort(p=>p.id).map(p=>({a: p.open ?? p.sold, b: p.id>1 ? p.open : p.sold, c: nvl(p.open, p.sold), d: p.mask ?? p.mask, e: p.id>1 ? p.mask : null, f: nvl(p.mask, p.mask)}))';
    expect(await rowsOf(program, choices)).toEqual([
      { a: true, b: false, c: true, d: 55, e: null, f: 55 },
      { a: false, b: false, c: false, d: 7, e: 7, f: 7 },
      { a: true, b: null, c: true, d: 300, e: 300, f: 300 },
    ]);
  });
});
