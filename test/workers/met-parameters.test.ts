/**
 * Parameters that are only compared with each other are compared like their JSON values: numbers as
 * numbers.
 */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Items',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }, { name: 'name' }],
  },
];

describeDomain('parameters that are only compared with each other', entities, (stage) => {
  beforeAll(async () => {
    await stage().ask('Items.insert()', { id: 1 });
  });

  test.each([
    ['a<b', { a: 10, b: 9 }, false],
    ['a<b', { a: 9, b: 10 }, true],
    ['a==b', { a: 1.5, b: '1.5' }, true],
    ['a<b', { a: '10', b: '9' }, true],
    ['a<=b&&b<c', { a: 9, b: 10, c: 100 }, true],
    ['between(a, b, c)', { a: 15, b: 10, c: 200 }, true],
    ['in(a, b)', { a: 5, b: [1, 5] }, true],
    ['in(a, [b, c])', { a: 5, b: 50, c: 5 }, true],
    ['a==b', { a: true, b: true }, true],
    ['a==b', { a: null, b: null }, true],
    ['a==b', { a: null, b: 1 }, false],
    ['a>b', { a: '2020-01-01', b: '2019-12-31' }, true],
    ['a==b', { a: 'x', b: 'x ' }, false],
    ['a==b', { a: 'x', b: 'X' }, false],
    ['a<b', { a: 'B', b: 'a' }, true],
    ['a<b', { a: 'é', b: 'f' }, false],
    ['between(a, b, c)', { a: 'a', b: 'B', c: 'b' }, true],
    ['in(a, b)', { a: 'x', b: ['X', 'x '] }, false],
    ['in(a, [b, c])', { a: 'x', b: 'X', c: 'x ' }, false],
    ['a==b', { a: 'é', b: 'é' }, true],
  ])('%s with %j is %s', async (condition, data, isTrue) => {
    const rows = await stage().ask(`Items.filter(p=>${condition}).map(p=>p.id)`, data);
    expect(rows).toEqual(isTrue ? [{ id: 1 }] : []);
  });

  test('are returned as they were sent', async () => {
    expect(await stage().text('Items.map(p=>({x: a<b, a: a}))', { a: 10, b: 9 })).toBe(
      '[{"x":false,"a":10}]',
    );
  });

  test('select the rows of a write', async () => {
    const update = 'Items.update(p=>({name: "n"})).filter(p=>a<b)';
    expect(await stage().ask(update, { a: 10, b: 9 })).toBe(0);
    expect(await stage().ask(update, { a: 9, b: 10 })).toBe(1);
  });
});
