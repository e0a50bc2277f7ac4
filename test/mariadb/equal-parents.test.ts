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
    name: 'Worlds',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }],
    relations: [
      { name: 'clients', type: 'manyToOne', from: 'id', entity: 'Clients', to: 'worldId' },
    ],
  },
  {
    name: 'Clients',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'region' },
      { name: 'worldId', type: 'integer' },
    ],
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
      await sql(`CREATE TABLE ${table} (id int PRIMARY KEY, ${region}, worldId int)`);
    }
    await sql('CREATE TABLE Worlds (id int PRIMARY KEY)');
    await sql('INSERT INTO Worlds VALUES (1)');
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

  test('have no child twice if several statements are needed for all parents', async () => {
    const { gateway } = worker;
    await sql('DELETE FROM Clients');
    await sql('DELETE FROM Offices');
    await sql("INSERT INTO Clients SELECT seq, concat('r', seq), 1 FROM seq_1_to_20000");
    await sql("INSERT INTO Clients VALUES (0, 'west', 1), (20001, 'West', 1)");
    await sql("INSERT INTO Offices VALUES (1, 'West', 1)");
    const offices = 'p.offices.map(o=>o.id)';
    const query = `Worlds.include(w=>w.clients.sort(p=>p.id).map(p=>p.id).include(p=>${offices}))`;
    const [world] = (await gateway.rows(query)) as readonly World[];
    const clients = world?.clients ?? [];
    for (const at of [0, 20_001]) expect(clients[at]?.offices).toEqual([{ id: 1 }]);
  });
});

interface World {
  readonly clients: readonly { readonly offices: unknown }[];
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
