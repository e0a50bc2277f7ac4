/** Numbers that are sent as texts are numbers. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Amounts',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'amount', type: 'decimal', precision: 20, scale: 4 },
      { name: 'amounts', type: 'decimal[]' },
      { name: 'counts', type: 'integer[]' },
    ],
  },
];

describeDomain('numbers as texts', entities, (stage) => {
  test('are stored and answered', async () => {
    const given = {
      id: '007',
      amount: '+.5',
      amounts: ['.5', '+007.', '-1.5e3'],
      counts: ['+5', '-007'],
    };
    const stored = { id: 7, amount: 0.5, amounts: [0.5, 7, -1500], counts: [5, -7] };
    expect(await stage().ask('Amounts.insert()', given)).toEqual(stored);
    expect(await stage().ask('Amounts.filter(p=>p.id==id)', { id: '+7' })).toEqual([stored]);
  });
});
