/** The digits of doubles that become decimals, texts or integers: all 17 that a double may need. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Rates',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'ratio', type: 'number' },
      { name: 'price', type: 'decimal', precision: 40, scale: 20 },
      { name: 'cost', type: 'decimal', precision: 40, scale: 20, writeExp: 'sqrt(cost)' },
    ],
  },
];

describeDomain('a double', entities, (stage) => {
  beforeAll(async () => {
    await stage().ask('Rates.bulkInsert()', [
      { id: 1, ratio: 0.1, price: null },
      { id: 2, ratio: 0.2, price: null },
      { id: 3, ratio: 9007199254740992, price: null },
    ]);
  });

  test.each([
    ['toString(sum(p.ratio))', '"0.30000000000000004"'],
    ['"a" + sum(p.ratio)', '"a0.30000000000000004"'],
    ['toJson(nvl(sum(p.ratio), 0))', '"0.30000000000000004"'],
    ['toDecimal(sum(p.ratio))', '0.30000000000000004'],
    ['round(sum(p.ratio), 17)', '0.30000000000000004'],
    ['sum(p.ratio)', '0.30000000000000004'],
  ])('%s of two doubles is %s', async (value, text) => {
    const query = `Rates.filter(p=>p.id<3).map(p=>({x: ${value}}))`;
    expect(await stage().text(query)).toBe(`[{"x":${text}}]`);
  });

  test.each(['floor', 'ceil', 'round', 'trunc', 'toInteger'])(
    '%s of a sum of great doubles has all digits',
    async (name) => {
      const query = `Rates.filter(p=>p.id==3).map(p=>({x: ${name}(sum(p.ratio))}))`;
      expect(await stage().text(query)).toBe('[{"x":9007199254740992}]');
    },
  );

  test.each([
    ['p.ratio', 2, '0.2'],
    ['p.ratio + 0.1', 2, '0.30000000000000004'],
    ['p.id == 2 ? p.ratio * 3 : p.price', 2, '0.6000000000000001'],
    ['p.ratio', 3, '9007199254740992'],
  ])('%s of row %i is stored in a decimal as %s', async (value, id, text) => {
    const update = `Rates.update(p=>({price: ${value}})).filter(p=>p.id==${id})`;
    expect(await stage().ask(update)).toBe(1);
    const stored = `Rates.filter(p=>p.id==${id}).map(p=>({x: p.price}))`;
    expect(await stage().text(stored)).toBe(`[{"x":${text}}]`);
  });

  test('a writeExp that returns a double for a decimal keeps all its digits', async () => {
    await stage().ask('Rates.insert()', { id: 4, cost: 0.2 });
    const inserted = await stage().text('Rates.filter(p=>p.id==4).map(p=>({x: p.cost}))');
    expect(inserted).toBe('[{"x":0.4472135954999579}]');
    await stage().ask('Rates.update(p=>({cost: 0.1})).filter(p=>p.id==4)');
    const updated = await stage().text('Rates.filter(p=>p.id==4).map(p=>({x: p.cost}))');
    expect(updated).toBe('[{"x":0.31622776601683794}]');
    await stage().ask('Rates.delete()', { id: 4 });
  });

  test('a product with a great number has all digits', async () => {
    const query = 'Rates.filter(p=>p.id==2).map(p=>({x: (p.ratio + 0.1) * 1e200}))';
    const text = await stage().text(query);
    expect(JSON.parse(text)).toEqual([{ x: (0.2 + 0.1) * 1e200 }]);
  });
});
