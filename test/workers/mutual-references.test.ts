/** New rows of one entity that refer to one another, on each database. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const number = (name: string, required = false) => ({ name, type: 'integer', required });
const entities = [
  {
    name: 'Staff',
    primaryKey: ['id'],
    properties: [number('id', true), number('bossId')],
    relations: [{ name: 'boss', from: 'bossId', entity: 'Staff', to: 'id' }],
  },
];
const insert = 'Staff.bulkInsert()';

describeDomain('rows that refer to one another', entities, (stage) => {
  const isPostgresql = () => stage().dialect === 'PostgreSQL';

  test.each([
    { title: 'in a cycle', bosses: [2, 1] },
    { title: 'before the row that they refer to', bosses: [2, null] },
  ])('are stored, unless the database checks each row: $title', async ({ bosses }) => {
    await stage().ask('Staff.deleteAll()');
    const rows = bosses.map((bossId, index) => ({ id: index + 1, bossId }));
    const problem = await stage().problem(insert, rows);
    const refusal = expect.objectContaining({ code: 'foreign-key-violation' });
    expect(problem).toEqual(isPostgresql() ? undefined : refusal);
    expect(await stage().ask('Staff.sort(p=>p.id)')).toEqual(isPostgresql() ? rows : []);
  });

  test('are stored after the row that they refer to, and by their own key', async () => {
    const rows = [
      { id: 3, bossId: 3 },
      { id: 4, bossId: 3 },
    ];
    expect(await stage().problem(insert, rows)).toBeUndefined();
  });
});
