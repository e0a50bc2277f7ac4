/** Several parents of an include may have keys that the database considers equal, although their texts differ. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { startWorker, type TestWorker } from '../workers/test-worker.js';

const entities = [
  {
    name: 'Clients',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }, { name: 'region' }],
    relations: [
      {
        ...{ name: 'offices', type: 'manyToOne', from: 'region', entity: 'Offices', to: 'region' },
        weak: true,
      },
    ],
  },
  {
    name: 'Offices',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }, { name: 'region' }],
  },
];

/** The regions of clients and of offices. */
const cases = [
  [['west', 'West'], ['West']],
  [
    ['west', 'West'],
    ['West', 'west'],
  ],
  [
    ['west', 'West', 'WEST'],
    ['wesT', 'West'],
  ],
  [
    ['west', 'West', 'north', 'east'],
    ['West', 'east'],
  ],
  [[...Array(40)].map((_, id) => `a${id}`).concat('West', 'west'), ['west', 'a7']],
  [[...Array(40)].flatMap((_, id) => [`a${id}`, `A${id}`]), ['a7', 'A7', 'b', 'A8']],
  [
    ['a', 'A', 'á', 'Á', 'à', 'À', 'ä', 'Ä', 'b'],
    ['a', 'A', 'á', 'Á', 'à', 'À', 'ä', 'Ä', 'b'],
  ],
  [
    ['a', 'A', 'á', 'Á', 'à', 'À', 'ä', 'Ä', 'b'],
    ['â', 'B'],
  ],
] as const;

describeMariadb('parents with equal keys', () => {
  let database: MariadbDatabase;
  let worker: TestWorker;
  beforeAll(async () => {
    database = await createMariadbDatabase();
    for (const table of ['Clients', 'Offices']) {
      const region = 'region varchar(20) COLLATE utf8mb4_general_ci';
      await sql(`CREATE TABLE ${table} (id int PRIMARY KEY, ${region})`);
    }
    const source = { name: 'default', dialect: 'MariaDB', connection: database.connection };
    const document = {
      domain: { version: '1.0.0', entities },
      infrastructure: { sources: [source] },
    };
    worker = startWorker(document);
  });
  afterAll(async () => {
    await worker.close();
    await database.drop();
  });
  const sql = (text: string) => database.withClient((client) => client.query(text));

  test.each(cases.map((each, index) => [index, ...each] as const))(
    'have the same children: %i',
    async (_, regions, places) => {
      const { gateway } = worker;
      await sql('DELETE FROM Clients');
      await sql('DELETE FROM Offices');
      await gateway.rows(
        'Clients.bulkInsert()',
        regions.map((region, id) => ({ id, region })),
      );
      await gateway.rows(
        'Offices.bulkInsert()',
        places.map((region, id) => ({ id, region })),
      );
      const query =
        'Clients.sort(p=>p.id).map(p=>p.region).include(p=>p.offices.sort(o=>o.id).map(o=>o.id))';
      const expected = regions.map((region) => ({
        region,
        offices: places.flatMap((place, id) => (plain(place) === plain(region) ? [{ id }] : [])),
      }));
      expect(await gateway.rows(query)).toEqual(expected);
    },
  );
});

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
