/** Differences beyond 64 bits. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Counts',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'n', type: 'bigint' },
    ],
  },
];

describeDomain('the least integer', entities, (stage) => {
  beforeAll(async () => {
    await stage().ask('Counts.insert()', { id: 1, n: '-9223372036854775808' });
  });

  test.each(['0-p.n', '0-p.n-1', '1-p.n', '0-min(p.n)', '-p.n', '2*(0-p.n)'])(
    '%s is refused',
    async (difference) => {
      expect(await stage().problem(`Counts.map(p=>({x: ${difference}}))`)).toMatchObject({
        code: 'value-out-of-range',
      });
    },
  );

  test.each([
    ['-1-p.n', '9223372036854775807'],
    ['0-(p.n+1)', '9223372036854775807'],
    ['0-p.id', '-1'],
    ['0-p.id-2', '-3'],
    ['5-(0-p.id)', '6'],
    ['p.n-0', '-9223372036854775808'],
  ])('%s is %s', async (difference, value) => {
    const text = await stage().text(`Counts.map(p=>({x: ${difference}}))`);
    expect(text).toBe(`[{"x":${value}}]`);
  });
});
