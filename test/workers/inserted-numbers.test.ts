/** An insert stores the same number alone, in a list, and beside others with which it is merged. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Amounts',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'ratio', type: 'number' },
      { name: 'pieces', type: 'decimal' },
      { name: 'amount', type: 'number' },
    ],
  },
];

const numbers = Array.from({ length: 24 }, (_, index) => index + 1);
const RATIO = 0.1 + 0.2;

describeDomain('inserted numbers', entities, (stage) => {
  beforeAll(async () => {
    if (stage().dialect !== 'PostgreSQL') return;
    await stage().sql(
      'ALTER TABLE Amounts ALTER ratio TYPE numeric, ALTER pieces TYPE int, ALTER amount TYPE float4',
    );
  });
  beforeEach(() => stage().ask('Amounts.deleteAll()'));

  const stored = () => stage().text('Amounts.distinct(p=>({ratio: p.ratio, amount: p.amount}))');

  test('are the same beside others and in a list', async () => {
    const row = (id: number) => ({ id, ratio: RATIO, amount: 16777217 });
    await stage().ask('Amounts.insert()', row(1));
    const alone = await stored();
    for (let round = 0; round < 3; round += 1) {
      await stage().ask('Amounts.deleteAll()');
      await Promise.all(numbers.map((id) => stage().ask('Amounts.insert()', row(id))));
      expect(await stored()).toBe(alone);
    }
    await stage().ask('Amounts.deleteAll()');
    await stage().ask('Amounts.bulkInsert()', numbers.map(row));
    expect(await stored()).toBe(alone);
  });

  test('that do not fit are refused or rounded beside others and in a list, as alone', async () => {
    const row = (id: number) => ({ id, pieces: 1.5 });
    const outcome = async (query: string, data: unknown) =>
      (await stage().problem(query, data))?.code;
    const alone = await outcome('Amounts.insert()', row(100));
    for (let round = 0; round < 3; round += 1) {
      const first = 1000 * (round + 1);
      const some = numbers.map((id) => outcome('Amounts.insert()', row(first + id)));
      expect(new Set(await Promise.all(some))).toEqual(new Set([alone]));
    }
    expect(await outcome('Amounts.bulkInsert()', numbers.map(row))).toBe(alone);
  });
});
