/** Several parents of an include may have keys that the database considers equal, although their texts differ. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addToGroup } from '../../src/workers/add-to-group.js';
import { alikeKeys } from '../../src/workers/execute/alike-keys.js';
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

/** Collations, and regions that they equate. */
const equated = [
  ['utf8mb4_general_ci', ['strase', 'straße']],
  ['utf8mb4_general_ci', ['😀', '😁']],
  ['utf8mb4_unicode_ci', ['strasse', 'straße', 'STRASSE']],
  ['utf8mb4_unicode_ci', ['οδος', 'οδοσ', 'ΟΔΟΣ']],
  ['utf8mb4_unicode_520_ci', ['lodz', 'Łódź']],
  ['utf8mb4_unicode_520_ci', ['aero', 'Ærø', 'ærø']],
  ['utf8mb4_unicode_520_ci', ['a1', 'a١', 'a１']],
  ['utf8mb4_unicode_520_ci', ['かな', 'カナ', 'ｶﾅ']],
  ['latin1_swedish_ci', ['Muller', 'müller', 'Myller']],
  ['latin1_german2_ci', ['Mueller', 'müller']],
  ['utf8mb4_danish_ci', ['Aarhus', 'Århus', 'aarhus']],
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

  test.each(equated)('have the same children by %s: %j', async (collation, regions) => {
    const { gateway } = worker;
    for (const table of ['Clients', 'Offices']) {
      await sql(`DELETE FROM ${table}`);
      await sql(`ALTER TABLE ${table} MODIFY region varchar(20) COLLATE ${collation}`);
    }
    const rows = [...regions, 'other'].map((region, id) => ({ id, region }));
    await gateway.rows('Clients.bulkInsert()', rows);
    await gateway.rows('Offices.bulkInsert()', rows);
    const query = 'Clients.sort(p=>p.id).map(p=>p.id).include(p=>p.offices.map(o=>o.region))';
    const answered = (await gateway.rows(query)) as readonly Client[];
    const found = answered.map(({ offices }) => offices.map(({ region }) => region));
    // Swedish collations have no letter that is both U and Y.
    const equal = regions.filter((region) => region !== 'Muller');
    const expected = regions.map((region) => (region === 'Muller' ? [region] : equal));
    expect(found).toEqual([...expected, ['other']]);
  });

  test.each([
    'utf8mb4_general_ci',
    'utf8mb4_unicode_ci',
    'utf8mb4_unicode_520_ci',
    'utf8mb4_swedish_ci',
  ])('are found among the letters that %s equates', async (collation) => {
    const letters = [range(0xa0, 0x24f), range(0x370, 0x5ff)].flat();
    const among = letters.filter((letter) => /^[\p{Lu}\p{Ll}\p{Lo}]$/u.test(letter));
    const calls = among.map((each) => `HEX(WEIGHT_STRING('${each}' COLLATE ${collation}))`);
    const weights: unknown = await sql(`SELECT ${calls.join(', ')}`);
    const groups = new Map<unknown, string[]>();
    const [row] = weights as readonly Readonly<Record<string, unknown>>[];
    for (const [index, weight] of Object.values(row ?? {}).entries()) {
      addToGroup(groups, weight, among[index] ?? '');
    }
    const divided = [...groups.values()].filter((group) => alikeKeys(group).length > 1);
    expect(divided).toEqual([]);
  });

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

interface Client {
  readonly offices: readonly { readonly region: string }[];
}

interface World {
  readonly clients: readonly { readonly offices: unknown }[];
}

function range(first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at));
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
