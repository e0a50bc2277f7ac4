/** The limits of a query: more is refused with an error for each limit, and less is answered. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileQuery, EngineError } from '../../src/engine/index.js';
import { northwind, northwindDocument } from '../engine/schema/northwind.js';
import { exactValue, type LanguageFixture, startLanguageFixture } from './language-fixture.js';

const limits = { expressionLengthMax: 65_536, nestingMax: 64, includeDepthMax: 8 };
const wide = { ...limits, expressionLengthMax: 1 << 20 };
const CHAIN = 999;

let fixture: LanguageFixture;

beforeAll(async () => {
  fixture = await startLanguageFixture();
});

afterAll(() => fixture.stop());

function compile(expression: string, bounds = limits) {
  return compileQuery(northwind, { expression, stage: 'default', view: 'default', limits: bounds });
}

function refusal(expression: string, bounds = limits): unknown {
  try {
    compile(expression, bounds);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, position } = error;
    return { code, message, position };
  }
  return undefined;
}

function times(count: number, item: (index: number) => string, separator = ''): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(separator);
}

describe('the length of an expression', () => {
  const query = 'Products.filter(p=>p.name=="")';

  test('may reach the limit', () => {
    expect(refusal(query.padEnd(65_536))).toBeUndefined();
  });

  test('is refused above the limit', () => {
    expect(refusal(query.padEnd(65_537))).toMatchObject({ code: 'query-too-long' });
  });
});

describe('nesting', () => {
  const nested = (levels: number) =>
    `Products.filter(p=>${'('.repeat(levels)}p.id==1${')'.repeat(levels)})`;

  test('of 40 parentheses is answered', async () => {
    const answer = await fixture.answer(`${nested(40)}.map(p=>p.id)`);
    expect(answer).toBe('[{"id":1}]');
  });

  test('is refused with its position above the limit', () => {
    expect(refusal(nested(65))).toMatchObject({ code: 'query-too-deep', position: { ln: 1 } });
  });
});

describe('nested includes', () => {
  const deep = (levels: number) =>
    `Employees${'.include(p=>p.reportsTo'.repeat(levels)}${')'.repeat(levels)}`;

  test('may be 8 deep', async () => {
    const [row] = JSON.parse(await fixture.answer(`${deep(8)}.filter(p=>p.id==8)`));
    expect(row.reportsTo.reportsTo.reportsTo).toMatchObject({ id: 1, reportsTo: null });
  });

  test('are refused if they are 9 deep', () => {
    expect(refusal(deep(9))).toEqual({
      code: 'include-too-deep',
      message: 'Includes can nest at most 8 deep.',
      position: { ln: 1, col: deep(9).lastIndexOf('reportsTo') + 1 },
    });
  });
});

describe('the joins of a statement', () => {
  const bosses = (levels: number) =>
    `Employees.map(p=>({id: p.id, top: p${'.reportsTo'.repeat(levels)}.id}))`;

  test('may be 59', async () => {
    const rows = JSON.parse(await fixture.answer(bosses(59)));
    expect(rows).toHaveLength(9);
  });

  test('are refused if there are 60', () => {
    expect(refusal(bosses(60))).toMatchObject({
      code: 'too-many-joins',
      message: 'A statement can join at most 59 tables.',
      position: { ln: 1 },
    });
  });

  test('are counted over all paths and sub-selects of the statement', () => {
    const path = (count: number) => `p${'.reportsTo'.repeat(count)}`;
    const sub = `exists(p.orders, o=>o.employee${'.reportsTo'.repeat(28)}.id==1)`;
    expect(refusal(`Employees.filter(p=>${path(30)}.id==1 && ${sub})`)).toBeUndefined();
    expect(refusal(`Employees.filter(p=>${path(40)}.id==1 && ${sub})`)).toMatchObject({
      code: 'too-many-joins',
    });
  });

  test('are counted once for a path that occurs twice, and for each include separately', () => {
    const path = `p${'.reportsTo'.repeat(40)}.id`;
    const query = `Employees.filter(p=>${path}==1).map(p=>${path})`;
    expect(refusal(`${query}.include(p=>p.reportsTo.filter(p=>${path}==1))`)).toBeUndefined();
  });
});

describe('a list', () => {
  const list = (count: number) =>
    `Products.filter(p=>in(p.id, [${times(count, String, ',')}])).map(p=>p.id).sort(p=>p.id)`;

  test('may have 10,000 items', async () => {
    const answer = fixture.gateway.execute(list(10_000));
    expect(JSON.parse((await answer).text)).toHaveLength(80);
  });

  test('is refused with 10,001', () => {
    expect(refusal(list(10_001), wide)).toMatchObject({
      code: 'list-too-long',
      message: 'The list has 10001 items; at most 10000 are allowed.',
      position: { ln: 1 },
    });
  });

  test('in the data may have any number', async () => {
    const query = 'Products.filter(p=>in(p.id, ids)).map(p=>p.id)';
    const ids = Array.from({ length: 100_000 }, (_, index) => index);
    expect(JSON.parse(await fixture.answer(query, { ids }))).toHaveLength(80);
  });
});

describe('a map', () => {
  const columns = (count: number) =>
    `Shippers.map(p=>({${times(count, (index) => `c${index}: p.id`, ',')}}))`;

  test('may have 1,600 columns', async () => {
    const [row] = JSON.parse(await fixture.answer(columns(1600)));
    expect(Object.keys(row)).toHaveLength(1600);
  });

  test('is refused with more', () => {
    expect(refusal(columns(1601))).toMatchObject({ code: 'wrong-arguments' });
  });
});

describe(`a chain of ${CHAIN} operands`, () => {
  const terms = (operator: string, item: (index: number) => string) => times(CHAIN, item, operator);
  const chains = [
    ['||', `Products.filter(p=>${terms('||', (i) => `p.id==${i}`)}).count()`, 80],
    ['&&', `Products.filter(p=>${terms('&&', (i) => `p.id!=${i + 41}`)}).count()`, 40],
    ['+', `Products.filter(p=>${terms('+', () => 'p.id')}==${CHAIN}).count()`, 1],
    ['-', `Products.filter(p=>${terms('-', () => 'p.id')}==-${CHAIN - 2}).count()`, 1],
    ['??', `Products.filter(p=>(${terms('??', () => 'p.categoryId')})==1).count()`, 9],
    ['+ of texts', `Shippers.filter(p=>("x"+${terms('+', () => 'p.id')})!="").count()`, 4],
  ] as const;

  test.each(chains)('%s is answered', async (_operator, query, count) => {
    const answer = exactValue(await fixture.answer(query));
    const expected = query.includes('??')
      ? await fixture.sqlRows('SELECT count(*) FROM products WHERE categoryid = 1')
      : `[{"count":${count}}]`;
    expect(answer).toEqual(exactValue(expected));
  });

  test('is compiled on the stack of a worker thread', async () => {
    const queries = chains.map(([, query]) => query);
    const worker = new Worker(new URL('./chain-worker.mjs', import.meta.url), {
      workerData: { document: northwindDocument(), queries, limits },
    });
    const [lengths] = await once(worker, 'message');
    await worker.terminate();
    expect(lengths).toEqual(queries.map((query) => compile(query).root.text.length));
  });

  test('is refused if it is longer than the limit', () => {
    const query = `Products.filter(p=>${times(1030, (index) => `p.id==${index}`, '||')})`;
    expect(refusal(query)).toMatchObject({ code: 'query-too-deep', position: { ln: 1 } });
  });
});
