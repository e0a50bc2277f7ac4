/** Columns of single precision are computed and compared as doubles on both databases. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

function sqlOf(type: string): string {
  return `CREATE TABLE measure (id integer PRIMARY KEY, part integer, x ${type}, y ${type});
    INSERT INTO measure VALUES (1, 1, 0.1, 0.1), (2, 1, 0.2, 0.1), (3, 2, 1e30, 1e30), (4, 3, 16777216, NULL), (5, 3, 1, NULL);`;
}

const [tenth, fifth] = [Math.fround(0.1), Math.fround(0.2)];

/** Values of the first row, and their results. */
const computed: readonly (readonly [expression: string, result: unknown])[] = [
  ['p.x', 0.1],
  ['p.x*p.x', tenth * tenth],
  ['p.x+p.y', tenth + tenth],
  ['p.x+one', tenth + 1],
  ['p.x*2', tenth * 2],
  ['p.x/3', tenth / 3],
  ['-p.x', -tenth],
  ['abs(p.x)', tenth],
  ['p.x ?? 0', tenth],
  ['p.id==1 ? p.x : 0', tenth],
  ['toString(p.x)', String(tenth)],
  ['"n"+p.x', `n${tenth}`],
  ['toDecimal(p.x)', tenth],
];

/** Conditions, and the numbers of the rows that meet them. */
const conditions: readonly (readonly [condition: string, data: unknown, ids: number[]])[] = [
  ['p.x==0.1', {}, []],
  ['p.x==v', { v: 0.1 }, []],
  ['p.x==v', { v: tenth }, [1]],
  ['in(p.x, [0.1, 0.2])', {}, []],
  ['in(p.x, v)', { v: [0.1, tenth] }, [1]],
  ['p.x>0.1 && p.x<=1', {}, [1, 2, 5]],
  ['p.x>v && p.x<=1', { v: 0.1 }, [1, 2, 5]],
  ['p.x<v', { v: 1e300 }, [1, 2, 3, 4, 5]],
  ['p.x>v', { v: 1e-300 }, [1, 2, 3, 4, 5]],
  ['in(p.x, v)', { v: [1e300, 1] }, [5]],
  ['between(p.x, v, 1e200)', { v: 1 }, [3, 4, 5]],
  ['p.x==p.y', {}, [1, 3]],
  ['p.x==16777217', {}, []],
];

function suite(database: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test.each(computed)('%s', async (expression, result) => {
    const query = `Measure.filter(p=>p.id==1).map(p=>({r: ${expression}}))`;
    const data = expression.includes('one') ? { one: 1 } : {};
    expect(await rowsOf(program, query, data)).toEqual([{ r: result }]);
  });

  test.each(conditions)('%s with %j', async (condition, data, ids) => {
    const query = `Measure.filter(p=>${condition}).map(p=>p.id).sort(p=>p.id)`;
    expect(await rowsOf(program, query, data)).toEqual(ids.map((id) => ({ id })));
  });

  test('products and sums beyond single precision', async () => {
    const square = 'Measure.filter(p=>p.id==3).map(p=>({r: p.x*p.x}))';
    expect(await rowsOf(program, square)).toEqual([{ r: Math.fround(1e30) ** 2 }]);
    const sums =
      'Measure.map(p=>({part: p.part, sum: sum(p.x), least: min(p.x), twice: max(p.x)*2})).sort(p=>p.part)';
    expect(await rowsOf(program, sums)).toEqual([
      { part: 1, sum: tenth + fifth, least: 0.1, twice: fifth * 2 },
      { part: 2, sum: Math.fround(1e30), least: 1e30, twice: Math.fround(1e30) * 2 },
      { part: 3, sum: 16777217, least: 1, twice: 33554432 },
    ]);
  });

  test('a write beyond single precision is refused', async () => {
    const { status, text } = await post(program, '/execute', {
      query: 'Measure.update(p=>({x: p.x*v})).filter(p=>p.id==3)',
      data: { v: 1e20 },
    });
    expect([status, JSON.parse(text).code]).toEqual([400, 'value-out-of-range']);
  });
}

describe('real on PostgreSQL', () => {
  suite(useOwnPostgresql(sqlOf('real')));
});

describeMariadb('float', () => {
  suite(useOwnMariadb(sqlOf('float')));
});
