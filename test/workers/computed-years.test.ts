/** Dates that a `writeValue` computes: MariaDB stores only the years 1 to 9999. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Finds',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'age', type: 'string' },
      { name: 'day', type: 'date', writeValue: 'age == "old" ? date("-000752-04-21") : day' },
    ],
  },
];

describeDomain('computed dates', entities, (stage) => {
  test('are stored, or refused if the database cannot store their year', async () => {
    const data = { id: 1, age: 'old', day: '2024-01-01' };
    await stage().ask('Finds.deleteAll()');
    await stage().ask('Finds.insert()', { id: 1, age: 'new', day: '2024-01-01' });
    const updated = 'Finds.update({age: age, day: day}).filter(p=>p.id==1)';
    for (const query of ['Finds.upsert()', updated]) {
      const problem = await stage().problem(query, data);
      const stored = await stage().ask('Finds.map(p=>p.day)');
      if (stage().dialect === 'PostgreSQL') {
        expect([problem, stored]).toEqual([undefined, [{ day: '-000752-04-21T00:00:00.000Z' }]]);
      } else {
        expect(problem).toMatchObject({ code: 'value-out-of-range', place: 'data.day' });
        expect(stored).toEqual([{ day: '2024-01-01T00:00:00.000Z' }]);
      }
    }
  });
});
