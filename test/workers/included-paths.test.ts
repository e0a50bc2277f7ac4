/** Included rows are the member of their relation, which the argument of an included write may name. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const id = { name: 'id', type: 'integer', required: true };

const entities = [
  { name: 'Orders', primaryKey: ['id'], properties: [id] },
  {
    name: 'Lines',
    primaryKey: ['orderId', 'number'],
    properties: [
      { ...id, name: 'orderId' },
      { ...id, name: 'number' },
    ],
    relations: [{ name: 'order', from: 'orderId', entity: 'Orders', to: 'id', target: 'lines' }],
  },
];

describeDomain('the argument of an included write', entities, (stage) => {
  test.each([
    ['Orders.insert().include(p=>p.lines.insert(lines))', { id: 1, lines: [{ number: 7 }] }],
    [
      'Orders.insert(order).include(p=>p.lines.insert(order.lines))',
      { order: { id: 2, lines: [{ number: 7 }] } },
    ],
    [
      'Orders.insert().include(p=>p.lines.insert({number: lines.number}))',
      { id: 3, lines: [{ number: 7 }] },
    ],
  ])('may name them: %s', async (query, data) => {
    const key = 'order' in data ? data.order.id : data.id;
    await stage().ask(query, data);
    const stored = `Lines.filter(p=>p.orderId==${key}).map(p=>p.number)`;
    expect(await stage().ask(stored)).toEqual([{ number: 7 }]);
  });
});
