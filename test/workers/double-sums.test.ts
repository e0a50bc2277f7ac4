/** Sums and averages of doubles whose sum is greater than a double can be. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Weights',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'w', type: 'number' },
    ],
  },
];

describeDomain('a sum of doubles', entities, (stage) => {
  beforeAll(async () => {
    await stage().ask('Weights.bulkInsert()', [
      { id: 1, w: 1e308 },
      { id: 2, w: 1e308 },
      { id: 3, w: 2.5 },
      { id: 4, w: null },
    ]);
  });

  test.each(['sum(p.w)', 'avg(p.w)', 'sum(p.w)/2', 'nvl(sum(p.w), 0)'])(
    '%s is refused if it is out of range',
    async (aggregate) => {
      expect(await stage().problem(`Weights.map(p=>({x: ${aggregate}}))`)).toMatchObject({
        code: 'value-out-of-range',
      });
    },
  );

  test.each([
    ['sum(p.w)', '2.5'],
    ['avg(p.w)', '2.5'],
    ['sum(distinct(p.w))', '2.5'],
  ])('%s of the other rows is %s', async (aggregate, value) => {
    const text = await stage().text(`Weights.filter(p=>p.id>2).map(p=>({x: ${aggregate}}))`);
    expect(text).toBe(`[{"x":${value}}]`);
  });

  test('a sum of no values is null', async () => {
    const text = await stage().text('Weights.filter(p=>p.id==4).map(p=>({x: sum(p.w)}))');
    expect(text).toBe('[{"x":null}]');
  });
});
