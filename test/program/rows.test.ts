/** The rows of queries are compared with those that JavaScript computes from the same sample rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SampleRow } from '../../src/embedded/sample-rows.js';
import { type Program, rowsOf } from '../support/program.js';
import { sampleRows } from '../support/sample.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

let server: SampleServer;
let program: Program;
beforeAll(async () => {
  server = await startSampleServer();
  program = await server.start();
});
afterAll(async () => {
  await program.stop();
  await server.stop();
});

const products = sampleRows('Products');
const customers = [...sampleRows('Customers')].sort(byText('id'));
const orders = sampleRows('Orders');
const details = [...sampleRows('Orders.details')].sort(
  (one, other) =>
    number(one, 'orderId') - number(other, 'orderId') ||
    number(one, 'productId') - number(other, 'productId'),
);
const categories = sampleRows('Categories');
const employees = sampleRows('Employees');

type Case = readonly [query: string, data: unknown, expected: () => unknown];

const filters: readonly Case[] = [
  ['p.price>20', {}, () => products.filter((p) => number(p, 'price') > 20)],
  ['p.price>x', { x: '20.5' }, () => products.filter((p) => number(p, 'price') > 20.5)],
  ['p.discontinued', {}, () => products.filter((p) => p['discontinued'] === true)],
  ['p.discontinued==x', { x: false }, () => products.filter((p) => p['discontinued'] === false)],
  ['p.inStock==0', {}, () => products.filter((p) => p['inStock'] === 0)],
  ['p.categoryId==null', {}, () => products.filter((p) => p['categoryId'] === null)],
  ['p.categoryId==x', { x: null }, () => products.filter((p) => p['categoryId'] === null)],
  ['p.categoryId!=x', { x: null }, () => products.filter((p) => p['categoryId'] !== null)],
  [
    'p.categoryId!=x',
    { x: 1 },
    () => products.filter((p) => ![null, 1].includes(p['categoryId'] as number)),
  ],
  [
    '!(p.categoryId==1)',
    {},
    () => products.filter((p) => ![null, 1].includes(p['categoryId'] as number)),
  ],
  ['p.id==1||p.id==2&&p.price>1000', {}, () => products.filter((p) => p['id'] === 1)],
  [
    '(p.id&1)==1&&p.id<8',
    {},
    () => products.filter((p) => number(p, 'id') % 2 === 1 && number(p, 'id') < 8),
  ],
  ['p.id%7==x', { x: 3 }, () => products.filter((p) => number(p, 'id') % 7 === 3)],
  [
    'p.inStock+p.onOrder*2>100',
    {},
    () => products.filter((p) => number(p, 'inStock') + number(p, 'onOrder') * 2 > 100),
  ],
  ['p.id-x==-5', { x: 6.5 }, () => products.filter((p) => number(p, 'id') === 1.5)],
  ['(p.categoryId??0)==0', {}, () => products.filter((p) => p['categoryId'] === null)],
  [
    'p.discontinued?p.id<40:p.id<5',
    {},
    () => products.filter((p) => number(p, 'id') < (p['discontinued'] ? 40 : 5)),
  ],
  ['p.category.name==null', {}, () => products.filter((p) => p['categoryId'] === null)],
  ['p.category.id+1==3', {}, () => products.filter((p) => p['categoryId'] === 2)],
  [
    'exists(p.orderDetails,d=>d.quantity>118)',
    {},
    () => products.filter((p) => linesOf(p).some((d) => number(d, 'quantity') > 118)),
  ],
  ['p.orderDetails.count()<20', {}, () => products.filter((p) => linesOf(p).length < 20)],
];

describe('a filter of Products', () => {
  test.each(filters)(
    '%s with %j finds the rows that JavaScript does',
    async (condition, data, expected) => {
      expect(await rowsOf(program, `Products.filter(p=>${condition}).sort(p=>p.id)`, data)).toEqual(
        expected(),
      );
    },
  );
});

const queries: readonly Case[] = [
  [
    'Products.map(p=>({id:p.id,category:p.category.name})).sort(p=>p.id)',
    {},
    () => products.map(({ id, categoryId }) => ({ id, category: nameOf(categoryId) })),
  ],
  [
    'Employees.map(p=>({id:p.id,boss:p.reportsTo.lastName})).sort(p=>p.id)',
    {},
    () =>
      employees.map(({ id, reportsToId }) => ({
        id,
        boss: employees.find((e) => e['id'] === reportsToId)?.['lastName'] ?? null,
      })),
  ],
  [
    'Products.sort(p=>[p.categoryId,desc(p.price),p.id]).map(p=>p.id)',
    {},
    () =>
      [...products]
        .sort(
          (one, other) =>
            rank(one) - rank(other) ||
            number(other, 'price') - number(one, 'price') ||
            number(one, 'id') - number(other, 'id'),
        )
        .map(({ id }) => ({ id })),
  ],
  [
    'Products.sort(p=>[desc(p.categoryId),p.id]).map(p=>p.id)',
    {},
    () =>
      [...products]
        .sort((one, other) => rank(other) - rank(one) || number(one, 'id') - number(other, 'id'))
        .map(({ id }) => ({ id })),
  ],
  ['Products.page(n,size)', { n: 3, size: 7 }, () => products.slice(14, 21)],
  ['Products.last()', {}, () => products.slice(-1)],
  ['Customers.first()', {}, () => customers.slice(0, 1)],
  ['Orders.count()', {}, () => [{ count: orders.length }]],
  [
    'Products.distinct(p=>p.categoryId).count()',
    {},
    () => [{ count: new Set(products.map((p) => p['categoryId'])).size }],
  ],
  [
    'Products.map(p=>({c:p.categoryId,n:count(1)})).sort(p=>p.c)',
    {},
    () =>
      [...categories, { id: null }]
        .map(({ id }) => ({ c: id, n: products.filter((p) => p['categoryId'] === id).length }))
        .filter(({ n }) => n > 0),
  ],
  [
    'Products.map(p=>({big:p.id>x,n:count(1)})).having(p=>p.big==true)',
    { x: 30 },
    () => [{ big: true, n: products.length - 30 }],
  ],
  [
    'Orders.map(p=>({n:count(1),shipped:count(p.shippedDate),by:count(distinct(p.employeeId))}))',
    {},
    () => [
      {
        n: orders.length,
        shipped: orders.filter((o) => o['shippedDate'] !== null).length,
        by: new Set(orders.map((o) => o['employeeId'])).size,
      },
    ],
  ],
  [
    'Orders.map(p=>({id:p.id,lines:p.details.count(),pieces:p.details.sum(d=>d.quantity)})).sort(p=>p.id)',
    {},
    () =>
      orders.map(({ id }) => ({
        id,
        lines: linesOfOrder(id).length,
        pieces: linesOfOrder(id).reduce((sum, d) => sum + number(d, 'quantity'), 0),
      })),
  ],
  [
    'Orders.filter(p=>p.id<=x).include(p=>p.details).map(p=>p.id).sort(p=>p.id)',
    { x: 20 },
    () => orders.slice(0, 20).map(({ id }) => ({ id, details: linesOfOrder(id) })),
  ],
  [
    'Orders.filter(p=>p.id<=20).include(p=>p.details.sort(d=>desc(d.productId)).page(1,2)).map(p=>p.id).sort(p=>p.id)',
    {},
    () =>
      orders
        .slice(0, 20)
        .map(({ id }) => ({ id, details: linesOfOrder(id).reverse().slice(0, 2) })),
  ],
  [
    'Orders.filter(p=>p.id<=20).include(p=>p.details.take(n)).map(p=>p.id).sort(p=>p.id)',
    { n: null },
    () => orders.slice(0, 20).map(({ id }) => ({ id, details: linesOfOrder(id) })),
  ],
  [
    'Employees.include(p=>p.reportsTo.map(e=>e.id)).map(p=>p.id).sort(p=>p.id)',
    {},
    () =>
      employees.map(({ id, reportsToId }) => ({
        id,
        reportsTo: reportsToId === null ? null : { id: reportsToId },
      })),
  ],
  [
    'Products.map(p=>({id:p.id,category:p.category})).sort(p=>p.id)',
    {},
    () =>
      products.map(({ id, categoryId }) => ({
        id,
        category: categories.find((c) => c['id'] === categoryId) ?? null,
      })),
  ],
  [
    'Orders.sort(p=>p.id).map(p=>[p.id,p.orderDate,p.requiredDate,p.shippedDate])',
    {},
    () =>
      orders.map(({ id, orderDate, requiredDate, shippedDate }) => ({
        id,
        orderDate,
        requiredDate: midnight(requiredDate),
        shippedDate: midnight(shippedDate),
      })),
  ],
  [
    'Orders.filter(p=>p.orderDate>=a&&p.orderDate<b).sort(p=>p.id).map(p=>p.id)',
    { a: '2022-01-01T02:00:00+02:00', b: '2022-02-01' },
    () =>
      orders
        .filter(({ orderDate }) => String(orderDate).startsWith('2022-01-'))
        .map(({ id }) => ({ id })),
  ],
];

describe('a query', () => {
  test.each(queries)('%s with %j returns the same as JavaScript', async (query, data, expected) => {
    expect(await rowsOf(program, query, data)).toEqual(expected());
  });
});

test('keeps digits that do not fit into a double', async () => {
  const digits = '123456789012345678901234.567891';
  const query = 'Shippers.filter(p=>p.id==1).map(p=>({r:p.id+x}))';
  for (const body of [
    JSON.stringify({ query, data: JSON.stringify({ x: digits }) }),
    JSON.stringify({ query, data: `{"x":${digits}}` }),
    `{"query":${JSON.stringify(query)},"data":{"x":${digits}}}`,
  ]) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${program.base}/execute`, { method: 'POST', headers, body });
    expect(await answer.text()).toBe('[{"r":123456789012345678901235.567891}]');
  }
});

function number(row: SampleRow, name: string): number {
  return Number(row[name]);
}

function byText(name: string) {
  return (one: SampleRow, other: SampleRow) => (String(one[name]) < String(other[name]) ? -1 : 1);
}

function linesOf({ id }: SampleRow): SampleRow[] {
  return details.filter((line) => line['productId'] === id);
}

function linesOfOrder(id: unknown): SampleRow[] {
  return details.filter((line) => line['orderId'] === id);
}

function nameOf(categoryId: unknown): unknown {
  return categories.find(({ id }) => id === categoryId)?.['name'] ?? null;
}

/** Nulls come last in ascending order, and first in descending order. */
function rank({ categoryId }: SampleRow): number {
  return Number(categoryId ?? 1e9);
}

function midnight(date: unknown): unknown {
  return typeof date === 'string' ? `${date}T00:00:00.000Z` : date;
}
