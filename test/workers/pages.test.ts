/**
 * Pages are counted from 1 and have at least one row: other arguments are an error, never another page.
 */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Items',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'parentId', type: 'integer' },
    ],
    relations: [{ name: 'parent', from: 'parentId', entity: 'Items', to: 'id', target: 'items' }],
  },
];

describeDomain('pages', entities, (stage) => {
  test.each([
    ['Items.page(1, 0)', undefined, 'wrong-arguments'],
    ['Items.page(0, 1)', undefined, 'wrong-arguments'],
    ['Items.page(null, 1)', undefined, 'wrong-arguments'],
    ['Items.page(1, null)', undefined, 'wrong-arguments'],
    ['Items.page(1, 1.5)', undefined, 'type-mismatch'],
    ['Items.page(1, x)', { x: 0 }, 'parameter-type'],
    ['Items.page(1, x)', { x: -1 }, 'parameter-type'],
    ['Items.page(1, x)', { x: null }, 'parameter-type'],
    ['Items.page(1, x)', { x: 1.5 }, 'parameter-type'],
    ['Items.page(x, 1)', { x: 0 }, 'parameter-type'],
    ['Items.page(x, 1)', { x: null }, 'parameter-type'],
    ['Items.include(p=>p.items.page(1, x))', { x: 0 }, 'parameter-type'],
    ['Items.include(p=>p.items.page(x, 1))', { x: null }, 'parameter-type'],
  ])('%s with %j is refused', async (query, data, code) => {
    await stage().ask('Items.upsert()', { id: 1, parentId: 1 });
    expect((await stage().problem(query, data))?.code).toBe(code);
  });

  test('of one row are returned', async () => {
    await stage().ask('Items.bulkUpsert()', [{ id: 1 }, { id: 2 }]);
    expect(await stage().ask('Items.map(p=>p.id).page(n, 1)', { n: 2 })).toEqual([{ id: 2 }]);
  });
});
