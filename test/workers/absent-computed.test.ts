/** The properties of an absent related row are null, also those that Rowgate computes. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const id = { name: 'id', type: 'integer', required: true };

const entities = [
  {
    name: 'Orders',
    primaryKey: ['id'],
    properties: [id, { name: 'customerId', type: 'integer' }],
    relations: [{ name: 'customer', from: 'customerId', entity: 'Customers', to: 'id' }],
  },
  {
    name: 'Customers',
    primaryKey: ['id'],
    properties: [
      id,
      { name: 'name' },
      { name: 'label', view: true, readValue: 'nvl(name, "unknown")' },
      { name: 'kind', view: true, readValue: '"customer"' },
    ],
  },
];

describeDomain('computed properties of related rows', entities, (stage) => {
  beforeAll(async () => {
    await stage().ask('Customers.bulkInsert()', [
      { id: 1, name: 'a' },
      { id: 2, name: null },
    ]);
    await stage().ask('Orders.bulkInsert()', [
      { id: 1, customerId: 1 },
      { id: 2, customerId: 2 },
      { id: 3, customerId: null },
    ]);
  });

  test.each(['', 'c: p.customer.id, '])('are null if the row is absent: %s', async (more) => {
    const query = `Orders.sort(p=>p.id).map(p=>({${more}l: p.customer.label, k: p.customer.kind}))`;
    const rows = (await stage().ask(query)) as { l: unknown; k: unknown }[];
    expect(rows.map(({ l, k }) => [l, k])).toEqual([
      ['a', 'customer'],
      ['unknown', 'customer'],
      [null, null],
    ]);
  });
});
