/** Children belong to the parent whose key the database considers equal, also if it stores it in another case. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const owner = { name: 'owner', from: 'ownerId', entity: 'Owners', to: 'id', weak: true };

const entities = [
  {
    name: 'Owners',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'uuid', required: true },
      { name: 'name', required: true },
    ],
  },
  {
    name: 'Things',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'ownerId', type: 'uuid' },
    ],
    relations: [{ ...owner, target: 'things' }],
  },
];

const key = 'a3bb189e-8bf9-4888-9912-ace4e6543002';

describeDomain('includes over uuids', entities, (stage) => {
  beforeAll(async () => {
    const { dialect, sql } = stage();
    const columns = [
      ['Owners', 'id', ' NOT NULL'],
      ['Things', 'ownerId', ''],
    ] as const;
    for (const [table, column, end] of columns) {
      if (dialect === 'PostgreSQL') continue;
      const type = `CHAR(36) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci${end}`;
      await sql(`ALTER TABLE ${table} MODIFY ${column} ${type}`);
    }
    await sql(`INSERT INTO Owners (id, name) VALUES ('${key}', 'o')`);
    const upper = key.toUpperCase();
    await sql(`INSERT INTO Things (id, ownerId) VALUES (1, '${upper}'), (2, '${key}')`);
  });

  test('find children and parents', async () => {
    const things = [{ id: 1 }, { id: 2 }];
    const children = 'Owners.map(p=>p.name).include(p=>p.things.sort(t=>t.id).map(t=>t.id))';
    expect(await stage().ask(children)).toEqual([{ name: 'o', things }]);
    const parents = 'Things.sort(p=>p.id).map(p=>p.id).include(p=>p.owner.map(o=>o.name))';
    const found = things.map((each) => ({ ...each, owner: { name: 'o' } }));
    expect(await stage().ask(parents)).toEqual(found);
  });
});
