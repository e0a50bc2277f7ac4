/** Schemas like those of well-known samples are served without a schema file: Northwind, a film rental, 100 tables. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleEntities } from '../../src/embedded/sample-rows.js';
import { northwindDocument } from '../engine/schema/northwind.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { rowsOf, runCommand } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql, withoutRows } from './own-database.js';
import { servedSuite } from './served-suite.js';

const rating = { PostgreSQL: 'rating', MariaDB: "ENUM('G','PG','R')" };
const types = { PostgreSQL: "CREATE TYPE rating AS ENUM ('G','PG','R');", MariaDB: '' };

function filmRentalSql(dialect: 'PostgreSQL' | 'MariaDB'): string {
  return `${types[dialect]}
    CREATE TABLE language (language_id integer PRIMARY KEY, name char(20) NOT NULL);
    CREATE TABLE film (film_id integer PRIMARY KEY, title varchar(128) NOT NULL, release_year smallint,
      language_id integer NOT NULL, original_language_id integer, rental_rate decimal(4,2) NOT NULL DEFAULT 4.99,
      rating ${rating[dialect]} DEFAULT 'G',
      FOREIGN KEY (language_id) REFERENCES language (language_id),
      FOREIGN KEY (original_language_id) REFERENCES language (language_id));
    CREATE TABLE actor (actor_id integer PRIMARY KEY, first_name varchar(45) NOT NULL);
    CREATE TABLE film_actor (actor_id integer NOT NULL, film_id integer NOT NULL, PRIMARY KEY (actor_id, film_id),
      FOREIGN KEY (actor_id) REFERENCES actor (actor_id), FOREIGN KEY (film_id) REFERENCES film (film_id));
    CREATE TABLE store (store_id integer PRIMARY KEY, manager_staff_id integer UNIQUE);
    CREATE TABLE staff (staff_id integer PRIMARY KEY, name varchar(45) NOT NULL, store_id integer NOT NULL,
      active boolean NOT NULL DEFAULT true, FOREIGN KEY (store_id) REFERENCES store (store_id));
    CREATE TABLE inventory (inventory_id integer PRIMARY KEY, film_id integer NOT NULL, store_id integer NOT NULL,
      FOREIGN KEY (film_id) REFERENCES film (film_id), FOREIGN KEY (store_id) REFERENCES store (store_id));
    CREATE TABLE rental (rental_id bigint PRIMARY KEY, rented date NOT NULL, inventory_id integer NOT NULL,
      returned date, staff_id integer NOT NULL, UNIQUE (inventory_id, rented),
      FOREIGN KEY (inventory_id) REFERENCES inventory (inventory_id),
      FOREIGN KEY (staff_id) REFERENCES staff (staff_id));
    CREATE TABLE payment (payment_id integer PRIMARY KEY, rental_id bigint, amount decimal(5,2) NOT NULL,
      FOREIGN KEY (rental_id) REFERENCES rental (rental_id));
    CREATE VIEW film_list AS SELECT film_id, title, rental_rate FROM film;
    INSERT INTO language VALUES (1, 'English'), (2, 'Norsk');
    INSERT INTO film VALUES (1, 'Dawn', 2006, 1, NULL, 0.99, 'PG'), (2, 'Noon', NULL, 1, 2, 4.99, NULL);
    INSERT INTO actor VALUES (1, 'Ada'), (2, 'Ben');
    INSERT INTO film_actor VALUES (1, 1), (2, 1), (2, 2);
    INSERT INTO store VALUES (1, 1), (2, NULL);
    INSERT INTO staff VALUES (1, 'Kim', 1, true), (2, 'Lee', 2, false);
    INSERT INTO inventory VALUES (1, 1, 1), (2, 2, 2);
    INSERT INTO rental VALUES (9007199254740993, '2005-05-24', 1, NULL, 1), (2, '2005-05-25', 2, '2005-05-28', 2);
    INSERT INTO payment VALUES (1, 9007199254740993, 2.99), (2, NULL, 0);`;
}

const TABLES = 100;

/** Each table refers to the previous one, and the first to itself. */
function manyTablesSql(): string {
  return Array.from({ length: TABLES }, (_, number) => {
    const before = Math.max(number - 1, 0);
    return `CREATE TABLE part_${number} (id integer PRIMARY KEY, before_id integer, note varchar(20),
      FOREIGN KEY (before_id) REFERENCES part_${before} (id));
      INSERT INTO part_${number} VALUES (1, 1, 'note ${number}');`;
  }).join('\n');
}

describe('on PostgreSQL, a film rental', () => {
  filmRental(useOwnPostgresql);
});

describeMariadb('a film rental', () => {
  filmRental(useOwnMariadb);
});

describe('on PostgreSQL, 100 tables', () => {
  manyTables(useOwnPostgresql);
});

describeMariadb('100 tables', () => {
  manyTables(useOwnMariadb);
});

describe('on PostgreSQL, Northwind', () => {
  northwind(useOwnPostgresql);
});

describeMariadb('Northwind', () => {
  northwind(useOwnMariadb);
});

type Use = (sql: string) => OwnDatabase;

function filmRental(use: Use): void {
  const sql = filmRentalSql(use === useOwnPostgresql ? 'PostgreSQL' : 'MariaDB');
  const { served } = servedSuite({ database: use(sql), empty: use(withoutRows(sql)) });

  test('two relations between the same tables have names of their own', async () => {
    const query =
      'Language.sort(p=>p.languageId).map(p=>p.languageId).include(p=>[p.filmsByLanguage.map(f=>f.title), p.filmsByOriginalLanguage.map(f=>f.title)])';
    expect(await rowsOf(served(), query)).toEqual([
      {
        languageId: 1,
        filmsByLanguage: [{ title: 'Dawn' }, { title: 'Noon' }],
        filmsByOriginalLanguage: [],
      },
      { languageId: 2, filmsByLanguage: [], filmsByOriginalLanguage: [{ title: 'Noon' }] },
    ]);
  });
}

function manyTables(use: Use): void {
  const sql = manyTablesSql();
  const { served } = servedSuite({ database: use(sql), empty: use(withoutRows(sql)) });

  test('a row leads through several of them', async () => {
    const query = 'Part99.map(p=>({note: p.before.before.note}))';
    expect(await rowsOf(served(), query)).toEqual([{ note: 'note 97' }]);
  });
}

/** The tables are those that `push` creates for the sample. */
function northwind(use: Use): void {
  const databases = { database: use('SELECT 1'), empty: use('SELECT 1') };
  const folder = makeTemporaryDirectory();

  beforeAll(async () => {
    const file = join(folder, 'northwind.json');
    const document = JSON.stringify(northwindDocument({ DATABASE_URL: '' }));
    const rows = join(folder, 'rows.json');
    const entities = sampleEntities().map((each) => ({
      entity: each.entity,
      rows: [...each.rows()],
    }));
    writeFileSync(rows, JSON.stringify({ entities }));
    for (const { dialect, url } of Object.values(databases)) {
      const schema = JSON.parse(document) as { infrastructure: { sources: object[] } };
      schema.infrastructure.sources = schema.infrastructure.sources.map((source) => ({
        ...source,
        dialect,
        connection: url,
      }));
      writeFileSync(file, JSON.stringify(schema));
      expect(await runCommand(['push', '--schema', file])).toMatchObject({ code: 0 });
      if (url !== databases.database.url) continue;
      expect(await runCommand(['import', rows, '--schema', file])).toMatchObject({ code: 0 });
    }
  });

  const { served } = servedSuite(databases);

  test('all rows are there', async () => {
    const orders = sampleEntities().find(({ entity }) => entity === 'Orders');
    const count = [...(orders?.rows() ?? [])].length;
    expect(count).toBeGreaterThan(100);
    expect(await rowsOf(served(), 'Orders.map(p=>({n: count()}))')).toEqual([{ n: count }]);
  });
}
