import { expect, test } from 'vitest';
import { completeQuery, isUnfinished } from '../../src/cli/complete-query.js';

const named = (...names: readonly string[]) => names.map((name) => ({ name }));
const words = {
  entities: [
    {
      name: 'Orders',
      properties: named('id', 'freight'),
      relations: [
        { name: 'customer', entity: 'Customers' },
        { name: 'details', entity: 'Details' },
      ],
    },
    { name: 'Customers', properties: named('city'), relations: [] },
    {
      name: 'Details',
      properties: named('quantity'),
      relations: [{ name: 'order', entity: 'Orders' }],
    },
  ],
  clauses: ['filter', 'first', 'map', 'include'],
  functions: ['lower', 'length'],
};

test.each([
  ['', 'Orders Customers Details'],
  ['Or', 'Orders'],
  ['Orders.', 'filter first map include'],
  ['Orders.fi', 'filter first'],
  ['Orders.filter(p=>p.', 'id freight customer details'],
  ['Orders.filter(p=>p.id==1 && p.fr', 'freight'],
  ['Orders.filter(p=>p.customer.', 'city filter first map include'],
  ['Orders.filter(p=>p.details.order.customer.c', 'city'],
  ['Orders.filter(p=>p.id==1).m', 'map'],
  ['Orders.filter(p=>lower(p.id)=="x").map(q=>q.f', 'freight'],
  ['Orders.include(p=>p.details.filter(d=>d.', 'quantity order'],
  ['Orders.include(p=>p.details.filter(d=>d.order.f', 'freight filter first'],
  ['Orders.include(p=>[p.customer, p.details.map(d=>d.q', 'quantity'],
  ['Orders.filter(p=>l', 'lower length'],
  ['Orders.filter(price=>p', 'price'],
  ['Nope.filter(p=>p.i', 'include'],
])('%j is completed by %s', (text, expected) => {
  const [candidates, replaced] = completeQuery(text, words);
  expect(candidates.join(' ')).toBe(expected);
  expect(text.endsWith(replaced)).toBe(true);
});

test.each([
  ['Orders', false],
  ['Orders.filter(p=>', true],
  ['Orders.filter(p=>p.name==")")', false],
  ['Orders.filter(p=>p.name=="(', true],
  ['Orders.map(p=>[p.id,', true],
  [String.raw`Orders.filter(p=>p.name=="\")")`, false],
  ['Orders.filter(p=>p.name=="a\\\nb")', false],
])('%j is unfinished: %s', (text, expected) => {
  expect(isUnfinished(text)).toBe(expected);
});
