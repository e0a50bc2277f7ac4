/**
 * `--strict-data` refuses members of the data that the query does not use, and suggests the most
 * similar name.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post, type Program } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

let server: SampleServer;
let program: Program;
beforeAll(async () => {
  server = await startSampleServer();
  program = await server.start(['--strict-data', 'on', '--share-plans-from', '1']);
});
afterAll(async () => {
  await program.stop();
  await server.stop();
});

const byId = 'Products.filter(p=>p.id==id).map(p=>p.id)';
const included =
  'Orders.filter(p=>p.id==order.id).include(p=>p.details.filter(d=>d.quantity>least))';
const order = { customerId: 'ARSTJ', employeeId: 1 };

test.each([
  [byId, { id: 1, idd: 2 }, 'data.idd', "Did you mean 'id'?"],
  [byId, { idd: 1 }, 'data.idd', "Did you mean 'id'?"],
  ['Products.filter(p=>p.id==1)', { b1: 1 }, 'data.b1', undefined],
  ['Products.page(1, 1)', { pages: 2 }, 'data.pages', undefined],
  ['Products.after(cursor).take(1)', { cursr: null }, 'data.cursr', "Did you mean 'cursor'?"],
  [included, { order: { id: 1, name: 'x' }, least: 2 }, 'data.order.name', undefined],
  [included, { order: { id: 1 }, details: [], least: 2 }, 'data.details', undefined],
  ['Categories.insert()', { name: 'Teas', descripton: 'x' }, 'data.descripton', /'description'/],
  ['Categories.insert({name: name})', { name: 'Teas', id: 4 }, 'data.id', undefined],
  ['Categories.bulkInsert()', [{ name: 'A' }, { name: 'B', x: 1 }], 'data[1].x', undefined],
  ['Categories.insert(entity)', { entity: { name: 'A', x: 1 } }, 'data.entity.x', undefined],
  [
    'Orders.insert().include(p=>p.details)',
    { ...order, details: [{ productId: 1 }, { productid: 2 }] },
    'data.details[1].productid',
    "Did you mean 'productId'?",
  ],
  [
    'Orders.insert()',
    { ...order, details: [{ productId: 1 }] },
    'data.details',
    "If 'details' is a relation, include it: .include(p=>p.details).",
  ],
  ['Categories.update().filter(p=>p.id==key)', { key: 1, nam: 'x' }, 'data.nam', /'name'/],
  ['Categories.delete()', { id: 1, idd: 2 }, 'data.idd', "Did you mean 'id'?"],
])('%s with %j', async (query, data, place, hint) => {
  const answer = await post(program, '/execute', { query, data });
  expect([answer.status, answer.json()]).toMatchObject([400, { code: 'parameter-unknown', place }]);
  const given = answer.json() as { readonly hint?: string };
  if (hint === undefined) expect(given.hint).toBeUndefined();
  else expect(given.hint).toMatch(hint);
});

test.each([
  [byId, { id: 1 }],
  [byId, '{ "id" : 1 }'],
  ['Products.map(p=>({v: v, n: p.id})).take(1)', { v: { any: { thing: [1, { deep: 2 }] } } }],
  [included, { order: { id: 1 }, least: 2 }],
  ['Products.map(p=>({x: p.price*factor})).count()', { factor: 2 }],
  ['Orders.insert().include(p=>p.details)', { ...order, details: [{ productId: 1, quantity: 2 }] }],
  ['Orders.insert(o).include(p=>p.details)', { o: { ...order, details: [{ productId: 1 }] } }],
  ['Categories.update().filter(p=>p.id==key)', { key: 0, name: 'x' }],
  ['Categories.bulkUpsert()', [{ name: 'strict' }]],
])('members that the query uses are accepted: %s with %j', async (query, data) => {
  const answer = await post(program, '/execute', { query, data, options: {} });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
});

test('the number of a page is accepted with a total', async () => {
  const body = { query: 'Products.page(n, 2)', data: { n: 2 }, options: { count: true } };
  expect((await post(program, '/execute', body)).headers.get('x-total-count')).toBe('80');
  const after = { query: 'Products.after(c).take(2)', data: { c: null }, options: { count: true } };
  expect((await post(program, '/execute', after)).headers.get('x-total-count')).toBe('80');
});

test.each([
  ['/execute', { query: byId, data: { id: 1 }, optoins: {} }, "Did you mean 'options'?"],
  ['/parameters', { query: byId, stage: 'default' }, undefined],
  ['/transaction', { steps: [{ query: 'Shippers' }], option: {} }, "Did you mean 'options'?"],
  ['/transaction', [{ query: 'Shippers', dat: {} }], "Did you mean 'data'?"],
])('refuses an unknown member of the body of %s: %j', async (path, body, hint) => {
  const answer = await post(program, path, body);
  expect([answer.status, answer.json()]).toMatchObject([400, { code: 'member-unknown' }]);
  expect(answer.json()).toMatchObject(hint === undefined ? {} : { hint });
});

test('applies to the steps of a transaction', async () => {
  const steps = [
    { query: 'Categories.insert()', data: { name: 'step' } },
    { query: byId, data: { id: { $ref: '0.id' }, other: 1 } },
  ];
  const answer = await post(program, '/transaction', steps);
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    { code: 'parameter-unknown', place: 'data.other', step: 1 },
  ]);
});
