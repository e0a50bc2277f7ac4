/** Databases refuse rows for reasons of their own: triggers, rules, conditions of views, partitions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram, until } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const TABLES = `
  CREATE TABLE watched (id integer PRIMARY KEY, v integer);
  CREATE TABLE base (id integer PRIMARY KEY, v integer);
  CREATE VIEW positive AS SELECT id, v FROM base WHERE v > 0 WITH CHECK OPTION;
  CREATE VIEW counted AS SELECT v AS id, count(*) AS v FROM base GROUP BY v;
  CREATE TABLE owner (id integer PRIMARY KEY);
  CREATE TABLE pet (id integer PRIMARY KEY, keeper integer,
    FOREIGN KEY (keeper) REFERENCES owner (id) ON DELETE RESTRICT);
  CREATE TABLE twice (id integer PRIMARY KEY, v integer GENERATED ALWAYS AS (id * 2) STORED);`;

const ON_POSTGRESQL = `${TABLES}
  CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.v = 1 THEN RAISE EXCEPTION 'the secret of the trigger'; END IF;
    IF NEW.v = 2 THEN RAISE EXCEPTION 'a secret' USING ERRCODE = 'SH001'; END IF;
    IF NEW.v = 3 THEN RAISE EXCEPTION 'a secret' USING ERRCODE = '42000'; END IF;
    IF NEW.v = 9 THEN RETURN NULL; END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER watch BEFORE INSERT OR UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION watch();
  CREATE TABLE booking (id integer PRIMARY KEY, since integer, until integer,
    EXCLUDE USING gist (int4range(since, until) WITH &&));
  CREATE TABLE parted (id integer PRIMARY KEY, v integer) PARTITION BY RANGE (id);
  CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (100);
  CREATE TABLE ruled (id integer PRIMARY KEY, v integer);
  CREATE RULE ruled_nothing AS ON INSERT TO ruled WHERE NEW.v = 9 DO INSTEAD NOTHING;
  CREATE VIEW instead AS SELECT id, v FROM base;
  CREATE FUNCTION store_instead() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO base VALUES (NEW.id, NEW.v);
    RETURN NEW;
  END $$;
  CREATE TRIGGER instead INSTEAD OF INSERT ON instead FOR EACH ROW EXECUTE FUNCTION store_instead();
  CREATE FUNCTION impatient() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE lock_not_available; END $$;
  CREATE TABLE locked (id integer PRIMARY KEY, v integer);
  CREATE TRIGGER impatient BEFORE INSERT ON locked FOR EACH ROW EXECUTE FUNCTION impatient();
  CREATE TABLE delayed (id integer PRIMARY KEY DEFERRABLE, v integer);`;

const ON_MARIADB = `${TABLES}
  CREATE TRIGGER watch BEFORE INSERT ON watched FOR EACH ROW
    IF NEW.v = 1 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the secret of the trigger';
    ELSEIF NEW.v = 2 THEN SIGNAL SQLSTATE 'SH001';
    ELSEIF NEW.v = 3 THEN SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1146;
    END IF;
  CREATE TRIGGER watch_updates BEFORE UPDATE ON watched FOR EACH ROW
    IF NEW.v = 1 THEN SIGNAL SQLSTATE '45000'; END IF;
  CREATE TABLE parted (id integer PRIMARY KEY, v integer)
    PARTITION BY RANGE (id) (PARTITION parted_low VALUES LESS THAN (100));`;

/** Views and tables, with the properties `id` and `v`. */
const NAMES = [
  'Watched',
  'Base',
  'Positive',
  'Counted',
  'Parted',
  'Ruled',
  'Instead',
  'Delayed',
  'Locked',
  'Twice',
];

describe('on PostgreSQL', () => {
  const database = useOwnPostgresql(ON_POSTGRESQL);
  const { refusal, served } = suite(database, 'P0001');

  test('a row for which a trigger returns null is refused', async () => {
    const leftOut = {
      status: 422,
      code: 'refused-by-database',
      detail: expect.stringContaining('left out rows of entity Watched (1 of 1)'),
      place: 'data',
    };
    expect(await refusal('Watched.insert()', { id: 9, v: 9 })).toMatchObject(leftOut);
    expect(await refusal('Watched.upsert()', { id: 9, v: 9 })).toMatchObject(leftOut);
    const some = [
      { id: 18, v: 8 },
      { id: 19, v: 9 },
    ];
    const steps = [{ query: 'Watched.bulkInsert()', data: some }];
    expect((await post(served(), '/transaction', steps)).json()).toMatchObject({
      code: 'refused-by-database',
      detail: expect.stringContaining('(1 of 2)'),
    });
    expect(await rowsOf(served(), 'Watched.filter(p=>p.id == 18)')).toEqual([]);
    const update = { query: 'Watched.update()', data: { id: 8, v: 9 } };
    await rowsOf(served(), 'Watched.insert()', { id: 8, v: 8 });
    expect((await post(served(), '/execute', update)).text).toBe('0');
  });

  test('of inserts that share a statement, only those are refused that a trigger leaves out', async () => {
    const values = Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? 9 : 100 + index));
    const answers = await Promise.all(
      values.map((v, index) =>
        post(served(), '/execute', { query: 'Watched.insert()', data: { id: 100 + index, v } }),
      ),
    );
    expect(answers.map((answer) => answer.json())).toEqual(
      values.map((v, index) =>
        v === 9 ? expect.objectContaining({ code: 'refused-by-database' }) : { id: 100 + index, v },
      ),
    );
  });

  test.each(['Watched', 'Ruled'])(
    'an import counts the rows that %s has stored',
    async (entity) => {
      const rows = [7, 8, 9].map((v) => ({ id: 200 + v, v }));
      const imported = await post(served(), '/stages/default/import', {
        entities: [{ entity, rows }],
      });
      expect(imported.json()).toEqual({ imported: [{ entity, rows: 2 }] });
      expect(await rowsOf(served(), `${entity}.filter(p=>p.id > 200)`)).toEqual(rows.slice(0, 2));
    },
  );

  test('a rule that does nothing instead of an insert is not an internal error', async () => {
    expect(await refusal('Ruled.insert()', { id: 1, v: 1 })).toMatchObject({
      status: 422,
      code: 'refused-by-database',
      sqlstate: '0A000',
    });
  });

  test('an exclusion constraint reports a conflict', async () => {
    const booking = { id: 1, since: 1, until: 5 };
    await rowsOf(served(), 'Booking.insert()', booking);
    for (const query of ['Booking.insert()', 'Booking.upsert()']) {
      expect(await refusal(query, { ...booking, id: 2 })).toMatchObject({
        status: 409,
        code: 'unique-violation',
        detail: expect.stringContaining('an exclusion constraint'),
        sqlstate: '23P01',
      });
    }
  });

  test.each([
    ['Instead', '42P10'],
    ['Delayed', '55000'],
  ])('an upsert into %s says what it needs', async (entity, sqlstate) => {
    expect(await refusal(`${entity}.upsert()`, { id: 1, v: 1 })).toMatchObject({
      status: 500,
      code: 'schema-mismatch',
      detail: expect.stringContaining('an upsert needs a unique constraint'),
      sqlstate,
    });
  });

  test('a lock that the database does not wait for is a conflict', async () => {
    expect(await refusal('Locked.insert()', { id: 1, v: 1 })).toMatchObject({
      status: 409,
      code: 'serialization-failure',
      sqlstate: '55P03',
    });
  });
});

describeMariadb('refusals of the database', () => {
  suite(useOwnMariadb(ON_MARIADB), '45000');
});

function suite(database: OwnDatabase, raised: string) {
  let program: Program;
  beforeAll(async () => {
    const file = join(makeTemporaryDirectory(), 'schema.json');
    writeFileSync(file, JSON.stringify(schemaOf(database)));
    program = await startProgram(['--schema', file, '--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  async function refusal(query: string, data: unknown): Promise<unknown> {
    return (await post(program, '/execute', { query, data })).json();
  }

  const refused = {
    status: 422,
    code: 'refused-by-database',
    detail:
      'The database refused a write to entity Watched, for example by a trigger. Its message is in the log.',
    sqlstate: raised,
  };

  test('a row that a trigger refuses is refused, and only the log says why', async () => {
    const before = program.log.length;
    expect(await refusal('Watched.insert()', { id: 1, v: 1 })).toMatchObject({
      ...refused,
      place: 'data',
    });
    const logged = () => JSON.stringify(program.log.slice(before));
    await until('the log has the message', () => logged().includes('the secret of the trigger'));
    const rows = [50, 1].map((v) => ({ id: v, v }));
    expect(await refusal('Watched.bulkInsert()', rows)).toMatchObject(refused);
    const imported = await post(program, '/stages/default/import', {
      entities: [{ entity: 'Watched', rows }],
    });
    expect(imported.json()).toMatchObject(refused);
    expect(imported.text).not.toContain('secret');
    expect(await rowsOf(program, 'Watched.filter(p=>p.id == 50)')).toEqual([]);
    await rowsOf(program, 'Watched.insert()', { id: 50, v: 50 });
    expect(await refusal('Watched.update()', { id: 50, v: 1 })).toMatchObject(refused);
    expect(await refusal('Watched.updateAll({v: v})', { v: 1 })).toMatchObject(refused);
  });

  test('a trigger chooses its SQLSTATE', async () => {
    const own = { ...refused, sqlstate: 'SH001' };
    expect(await refusal('Watched.insert()', { id: 2, v: 2 })).toMatchObject(own);
    const misleading = await refusal('Watched.insert()', { id: 3, v: 3 });
    expect(misleading).toMatchObject({ status: 422, code: 'refused-by-database' });
  });

  test('a row outside of the condition of an updatable view is refused', async () => {
    const outside = {
      status: 422,
      code: 'check-violation',
      detail: 'A row of entity Positive does not meet a condition of the database.',
    };
    expect(await refusal('Positive.insert()', { id: 1, v: -1 })).toMatchObject(outside);
    await rowsOf(program, 'Positive.insert()', { id: 1, v: 1 });
    expect(await refusal('Positive.updateAll({v: v})', { v: -1 })).toMatchObject(outside);
  });

  test('a view that cannot be written refuses rows', async () => {
    expect(await refusal('Counted.insert()', { id: 1, v: 1 })).toMatchObject({
      status: 422,
      code: 'refused-by-database',
    });
    expect(await refusal('Counted.deleteAll()', {})).toMatchObject({
      status: 422,
      code: 'refused-by-database',
    });
  });

  test('a row for which there is no partition is refused', async () => {
    const unplaced = {
      status: 422,
      code: 'check-violation',
      detail: 'A row of entity Parted does not meet a condition of the database.',
    };
    expect(await refusal('Parted.insert()', { id: 100, v: 1 })).toMatchObject(unplaced);
    await rowsOf(program, 'Parted.insert()', { id: 1, v: 1 });
    const moved = 'Parted.update({id: n}).filter(p=>p.id == 1)';
    expect(await refusal(moved, { n: 101 })).toMatchObject(unplaced);
  });

  test('a value for a generated column is refused', async () => {
    const generated = {
      status: 422,
      code: 'refused-by-database',
      detail: 'The database always generates v of entity Twice: leave it out of the write.',
    };
    const row = { id: 1, v: 5 };
    expect(await refusal('Twice.insert()', row)).toMatchObject({ ...generated, place: 'data.v' });
    await rowsOf(program, 'Twice.insert()', { id: 1 });
    expect(await refusal('Twice.update()', row)).toMatchObject({ ...generated, place: 'data.v' });
    expect(await refusal('Twice.updateAll({v: v})', { v: 5 })).toMatchObject(generated);
  });

  test('a row with references that restrict its deletion stays', async () => {
    await rowsOf(program, 'Owner.insert()', { id: 1 });
    await rowsOf(program, 'Pet.insert()', { id: 1, keeper: 1 });
    expect(await refusal('Owner.delete()', { id: 1 })).toMatchObject({
      status: 409,
      code: 'foreign-key-violation',
      detail: 'Rows of entity Pet still refer to the deleted row.',
    });
  });

  return { refusal, served: () => program };
}

function schemaOf({ dialect, url }: OwnDatabase) {
  const entity = (name: string, ...others: readonly string[]) => ({
    name,
    primaryKey: ['id'],
    properties: ['id', ...others].map((each) => ({ name: each, type: 'integer' })),
  });
  const owner = { name: 'owner', from: 'keeper', entity: 'Owner', to: 'id', target: 'pets' };
  const entities = [
    ...NAMES.map((name) => entity(name, 'v')),
    entity('Booking', 'since', 'until'),
    entity('Owner'),
    { ...entity('Pet', 'keeper'), relations: [owner] },
  ];
  const mapped = entities.map(({ name }) => ({ name, mapping: name.toLowerCase() }));
  return {
    domain: { entities },
    infrastructure: {
      mappings: [{ name: 'default', entities: mapped }],
      sources: [{ name: 'default', dialect, mapping: 'default', connection: url }],
    },
  };
}
