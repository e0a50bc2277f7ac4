/** Several parents of an include have keys that the database considers equal, although their texts differ. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const key = [{ name: 'price', type: 'decimal' }, { name: 'kind' }];

const entities = [
  {
    name: 'Offers',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }, ...key],
    relations: [
      {
        ...{ name: 'sales', type: 'manyToOne', from: 'price', entity: 'Sales', to: 'price' },
        weak: true,
      },
      {
        ...{ name: 'same', type: 'manyToOne', from: ['price', 'kind'], entity: 'Sales' },
        ...{ to: ['price', 'kind'], weak: true },
      },
    ],
  },
  {
    name: 'Sales',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }, ...key],
  },
];

describeDomain('parents with equal keys', entities, (stage) => {
  beforeAll(async () => {
    const { dialect, sql } = stage();
    const isPostgresql = dialect === 'PostgreSQL';
    const options = `provider = icu, locale = 'und-u-ks-level1', deterministic = false`;
    if (isPostgresql) await sql(`CREATE COLLATION same (${options})`);
    const change = isPostgresql ? 'ALTER kind TYPE' : 'MODIFY kind';
    const type = `varchar(9) COLLATE ${isPostgresql ? 'same' : 'utf8mb4_general_ci'}`;
    const texts = isPostgresql ? ['b', 'B'] : ['b', 'b '];
    for (const table of ['Offers', 'Sales']) {
      await sql(`ALTER TABLE ${table} ${change} ${type}`);
      await sql(`INSERT INTO ${table} VALUES (1, 1.5, '${texts[0]}'), (2, 1.50, '${texts[1]}')`);
      await sql(`INSERT INTO ${table} VALUES (3, 20, 'c'), (4, 20.0, 'd')`);
    }
  });

  test.each([
    ['sales', [3, 4], [3, 4]],
    ['same', [3], [4]],
  ])('have the same %s', async (relation, third, fourth) => {
    const query = `Offers.sort(p=>p.id).map(p=>p.id).include(p=>p.${relation}.map(s=>s.id))`;
    const children = [[1, 2], [1, 2], third, fourth].map((ids) => ids.map((id) => ({ id })));
    const expected = children.map((rows, at) => ({ id: at + 1, [relation]: rows }));
    expect(await stage().ask(query)).toEqual(expected);
  });
});
