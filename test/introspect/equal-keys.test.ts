/** Keys that the database considers equal belong together in includes, even if their texts differ. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

/** Countries and their cities, whose keys differ in case, accents, blanks at the end, or not at all. */
const cities = ['de', 'DE', 'De', 'Fr', 'fr ', 'årg', 'no'];

const MANY = 3000;

interface Sql {
  readonly keyType: string;
  /** A table of the numbers `n` up to `MANY`. */
  readonly numbers: string;
}

function tablesSql({ keyType, numbers }: Sql): string {
  const text = (word: string, number: string) => `concat('${word} ', ${number})`;
  const rows = cities.map((code, index) => `(${index + 1}, '${code}', 'x', 'P${index % 3}')`);
  return `
    CREATE TABLE country (code ${keyType} PRIMARY KEY, name varchar(20));
    CREATE TABLE city (id integer PRIMARY KEY, country ${keyType}, part varchar(5), extra varchar(5),
      FOREIGN KEY (country) REFERENCES country (code));
    CREATE TABLE place (country ${keyType}, number integer, PRIMARY KEY (country, number));
    CREATE TABLE visit (id integer PRIMARY KEY, country ${keyType}, number integer,
      FOREIGN KEY (country, number) REFERENCES place (country, number));
    INSERT INTO country VALUES ('de', 'Germany'), ('FR', 'France'), ('ARG', 'Argentina'), ('no', 'Norway'), ('se', 'Sweden');
    INSERT INTO city VALUES ${rows.join(', ')};
    INSERT INTO place VALUES ('de', 1), ('de', 2), ('FR', 1);
    INSERT INTO visit VALUES (1, 'DE', 1), (2, 'de', 1), (3, 'De', 2), (4, 'fr', 1);
    INSERT INTO country SELECT ${text('many', 'n')}, '-' FROM ${numbers};
    INSERT INTO city SELECT 1000 + n, CASE WHEN n % 100 < 50 THEN ${text('many', 'n')} ELSE ${text('MANY', 'n')} END, 'x', 'x'
      FROM ${numbers};`;
}

const byCountry = [
  { code: 'ARG', ids: [6] },
  { code: 'de', ids: [1, 2, 3] },
  { code: 'FR', ids: [4, 5] },
  { code: 'no', ids: [7] },
  { code: 'se', ids: [] },
];

function equalStrings(database: OwnDatabase): void {
  const { served } = serve(database);

  test('children are found whatever the text of their key', async () => {
    const rows = await rowsOf(
      served(),
      'Country.sort(p=>p.name).filter(p=>p.name!="-").map(p=>p.code).include(p=>p.cities.sort(c=>c.id).map(c=>c.id))',
    );
    const names = ['ARG', 'FR', 'de', 'no', 'se'];
    const expected = names.map((code) => {
      const ids = byCountry.find((each) => each.code === code)?.ids ?? [];
      return { code, cities: ids.map((id) => ({ id })) };
    });
    expect(rows).toEqual(expected);
  });

  test('so are parents', async () => {
    const rows = (await rowsOf(
      served(),
      'City.filter(p=>p.id<1000).sort(p=>p.id).map(p=>[p.id,p.country]).include(p=>p.countryRef.map(c=>c.code))',
    )) as readonly { id: number; country: string; countryRef: { code: string } | null }[];
    expect(rows.map(({ country }) => country.trimEnd())).toEqual(
      cities.map((each) => each.trimEnd()),
    );
    expect(rows.map(({ countryRef }) => countryRef?.code)).toEqual([
      'de',
      'de',
      'de',
      'FR',
      'FR',
      'ARG',
      'no',
    ]);
  });

  test('a limit counts all children of a parent', async () => {
    const rows = await rowsOf(
      served(),
      'Country.filter(p=>p.name.startWith("Ger")).map(p=>p.code).include(p=>p.cities.sort(c=>-c.id).take(2).map(c=>c.id))',
    );
    expect(rows).toEqual([{ code: 'de', cities: [{ id: 3 }, { id: 2 }] }]);
  });

  test('includes in includes, and a filter that leaves some out', async () => {
    const rows = await rowsOf(
      served(),
      'City.filter(p=>p.id<=4).sort(p=>p.id).map(p=>p.id).include(p=>p.countryRef.filter(c=>c.name=="Germany").map(c=>c.name).include(c=>c.cities.sort(i=>i.id).map(i=>i.id)))',
    );
    const germany = { name: 'Germany', cities: [{ id: 1 }, { id: 2 }, { id: 3 }] };
    const expected = [1, 2, 3].map((id) => ({ id, countryRef: germany }));
    expect(rows).toEqual([...expected, { id: 4, countryRef: null }]);
  });

  test('a key of two columns', async () => {
    const rows = await rowsOf(
      served(),
      'Place.sort(p=>[p.country,p.number]).map(p=>p.number).include(p=>p.visits.sort(v=>v.id).map(v=>v.id))',
    );
    expect(rows).toEqual([
      { number: 1, visits: [{ id: 1 }, { id: 2 }] },
      { number: 2, visits: [{ id: 3 }] },
      { number: 1, visits: [{ id: 4 }] },
    ]);
  });

  test('a streamed answer', async () => {
    const rows = (await rowsOf(
      served(),
      'Country.filter(p=>p.name=="-").map(p=>p.code).include(p=>p.cities.map(c=>c.id))',
    )) as readonly { code: string; cities: readonly { id: number }[] }[];
    expect(rows).toHaveLength(MANY);
    for (const { code, cities: found } of rows) {
      expect(found).toEqual([{ id: 1000 + Number(code.slice('many '.length)) }]);
    }
  });

  test('many requests at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        rowsOf(
          served(),
          'Country.filter(p=>p.name==name).map(p=>p.code).include(p=>p.cities.sort(c=>c.id).map(c=>c.id))',
          { name: index % 2 === 0 ? 'Germany' : 'France' },
        ),
      ),
    );
    for (const [index, rows] of answers.entries()) {
      const expected =
        index % 2 === 0
          ? { code: 'de', cities: [{ id: 1 }, { id: 2 }, { id: 3 }] }
          : { code: 'FR', cities: [{ id: 4 }, { id: 5 }] };
      expect(rows).toEqual([expected]);
    }
  });
}

function serve(database: OwnDatabase): { served: () => Program } {
  let program: Program;
  beforeAll(async () => {
    // Hardly more than the largest answer, so that comparing keys must not count as reading rows.
    const limits = ['--rows-max', String(2 * MANY + 10), '--expected-wait-ms', '30000'];
    program = await startProgram(['--url', database.url, '--workers', '1', ...limits]);
  });
  afterAll(() => program.stop());
  return { served: () => program };
}

describeMariadb('strings by their collation', () => {
  const keyType = 'varchar(10) COLLATE utf8mb4_general_ci';
  equalStrings(
    useOwnMariadb(tablesSql({ keyType, numbers: `(SELECT seq AS n FROM seq_1_to_${MANY}) s` })),
  );
});

describe('on PostgreSQL, strings by their collation', () => {
  const collation = `CREATE COLLATION same (provider = icu, locale = 'und-u-ks-level1-ka-shifted', deterministic = false);`;
  const numbers = `generate_series(1, ${MANY}) n`;
  equalStrings(
    useOwnPostgresql(collation + tablesSql({ keyType: 'varchar(10) COLLATE same', numbers })),
  );
});

describe('on PostgreSQL, decimals of other scales', () => {
  const { served } = serve(
    useOwnPostgresql(`
      CREATE TABLE price (amount numeric PRIMARY KEY, name text);
      CREATE TABLE item (id integer PRIMARY KEY, price numeric REFERENCES price);
      INSERT INTO price VALUES (1.50, 'low'), (10, 'high');
      INSERT INTO item VALUES (1, 1.5), (2, 1.500), (3, 10.0), (4, NULL);`),
  );

  test('are equal in both directions', async () => {
    expect(
      await rowsOf(
        served(),
        'Price.sort(p=>p.amount).map(p=>p.name).include(p=>p.items.sort(i=>i.id).map(i=>i.id))',
      ),
    ).toEqual([
      { name: 'low', items: [{ id: 1 }, { id: 2 }] },
      { name: 'high', items: [{ id: 3 }] },
    ]);
    const rows = await rowsOf(
      served(),
      'Item.sort(p=>p.id).map(p=>p.id).include(p=>p.priceRef.map(r=>r.name))',
    );
    expect(rows).toEqual(
      ['low', 'low', 'high']
        .map((name, index) => ({ id: index + 1, priceRef: { name } }))
        .concat([{ id: 4, priceRef: null } as never]),
    );
  });
});
