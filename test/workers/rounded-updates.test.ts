/** An update rounds numbers that it stores in an integer property, half away from zero. */
import { beforeEach, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Items',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'qty', type: 'integer' },
      { name: 'price', type: 'decimal' },
      { name: 'ratio', type: 'number' },
    ],
  },
];

describeDomain('an update of an integer', entities, (stage) => {
  beforeEach(async () => {
    await stage().ask('Items.deleteAll()');
    await stage().ask('Items.insert()', { id: 1, qty: 5, price: 6.25, ratio: 4.5 });
  });

  test.each([
    ['p.price**0.5', 3],
    ['-(p.price**0.5)', -3],
    ['p.ratio', 5],
    ['p.ratio-2', 3],
    ['0-p.ratio', -5],
    ['p.price*2', 13],
    ['p.qty/2', 3],
    ['p.qty/3', 2],
    ['p.ratio/3', 2],
    ['p.qty>4 ? p.ratio : 1', 5],
    ['p.price*x', 9],
    ['p.qty*2', 10],
    ['p.qty/(p.qty-5)', null],
    ['sqrt(-p.ratio)', null],
  ])('by %s stores %s', async (value, stored) => {
    expect(
      await stage().ask(`Items.update(p=>({qty: ${value}})).filter(p=>p.id==1)`, { x: 1.4 }),
    ).toBe(1);
    expect(await stage().ask('Items.map(p=>p.qty)')).toEqual([{ qty: stored }]);
  });

  test('beyond its range is refused', async () => {
    expect(await stage().problem('Items.updateAll(p=>({qty: p.ratio*1e30}))')).toMatchObject({
      code: 'value-out-of-range',
    });
  });
});
