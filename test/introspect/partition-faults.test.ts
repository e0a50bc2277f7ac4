/** Errors of partitioned tables name the entity, the properties and the place, although PostgreSQL names a partition. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const ON_POSTGRESQL = `
  CREATE TABLE owner (id integer PRIMARY KEY, v integer);
  CREATE TABLE parted (id integer PRIMARY KEY, v integer NOT NULL CONSTRAINT small CHECK (v < 100),
    owner integer REFERENCES owner (id)) PARTITION BY RANGE (id);
  CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (100) PARTITION BY RANGE (id);
  CREATE TABLE "parted low first" PARTITION OF parted_low FOR VALUES FROM (0) TO (50);
  CREATE TABLE watched (id integer PRIMARY KEY, v integer);
  CREATE FUNCTION copy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO parted (id, v) VALUES (NEW.id, NEW.v);
    RETURN NEW;
  END $$;
  CREATE TRIGGER copy AFTER INSERT ON watched FOR EACH ROW EXECUTE FUNCTION copy();`;

const ON_MARIADB = `
  CREATE TABLE owner (id integer PRIMARY KEY, v integer);
  CREATE TABLE parted (id integer PRIMARY KEY, v integer NOT NULL, owner integer, CONSTRAINT small CHECK (v < 100))
    PARTITION BY RANGE (id) (PARTITION parted_low VALUES LESS THAN (100));
  CREATE TABLE watched (id integer PRIMARY KEY, v integer);`;

describe('on PostgreSQL', () => {
  const { refusal, served } = suite(useOwnPostgresql(ON_POSTGRESQL));

  test('a reference to no row', async () => {
    const absent = {
      status: 409,
      code: 'foreign-key-violation',
      detail: 'A row of entity Parted refers to one that does not exist in owner.',
      place: 'data[1].owner',
    };
    const rows = [2, 3].map((id) => ({ id, v: 1, owner: id === 3 ? 77 : null }));
    expect(await refusal('Parted.bulkInsert()', rows)).toMatchObject(absent);
  });

  test('of an included row, also in a transaction', async () => {
    const taken = {
      code: 'unique-violation',
      detail: 'Another row of entity Parted has the same value in id.',
    };
    const data = { id: 5, v: 1, parts: [{ id: 1, v: 1 }] };
    const query = 'Owner.insert().include(p=>p.parts)';
    const place = 'data.parts[0].id';
    expect(await refusal(query, data)).toMatchObject({ ...taken, place });
    const steps = await post(served(), '/transaction', [{ query, data }]);
    expect(steps.json()).toMatchObject({ ...taken, place, step: 0 });
    expect(await rowsOf(served(), 'Owner')).toEqual([]);
  });

  test('a deleted row to which others refer', async () => {
    await rowsOf(served(), 'Owner.insert()', { id: 6, v: 1 });
    await rowsOf(served(), 'Parted.insert()', { id: 6, v: 1, owner: 6 });
    expect(await refusal('Owner.delete()', { id: 6 })).toMatchObject({
      code: 'foreign-key-violation',
      detail: 'Rows of entity Parted still refer to the deleted row.',
    });
    await rowsOf(served(), 'Parted.delete()', { id: 6 });
    await rowsOf(served(), 'Owner.delete()', { id: 6 });
  });

  test('of an import', async () => {
    const imported = async (...rows: readonly object[]): Promise<unknown> => {
      const entities = [{ entity: 'Parted', rows: [{ id: 10, v: 1 }, ...rows] }];
      return (await post(served(), '/stages/default/import', { entities })).json();
    };
    expect(await imported({ id: 11, v: 1 }, { id: 1, v: 1 })).toMatchObject({
      detail: 'Another row of entity Parted has the same value in id.',
      place: 'entities[0].rows[2].id',
    });
    expect(await imported({ id: 11, v: 200 })).toMatchObject({
      detail: "A row of entity Parted does not meet the condition 'small' of the database.",
      place: 'entities[0].rows[1]',
    });
    expect(await imported({ id: 11, v: 1, owner: 77 })).toMatchObject({
      detail: 'A row of entity Parted refers to one that does not exist in owner.',
      place: 'entities[0].rows[1].owner',
    });
  });

  test('a row that a trigger stores there', async () => {
    const taken = 'Another row of entity Parted has the same value in id.';
    const answer = await refusal('Watched.insert()', { id: 1, v: 1 });
    expect(answer).toMatchObject({ code: 'unique-violation', detail: taken });
    expect(answer).not.toHaveProperty('place');
  });
});

describeMariadb('errors of partitioned tables', () => {
  suite(useOwnMariadb(ON_MARIADB));
});

function suite(database: OwnDatabase) {
  let program: Program;
  beforeAll(async () => {
    const file = join(makeTemporaryDirectory(), 'schema.json');
    writeFileSync(file, JSON.stringify(schemaOf(database)));
    program = await startProgram(['--schema', file, '--url', database.url, '--workers', '1']);
    await rowsOf(program, 'Parted.insert()', { id: 1, v: 1 });
  });
  afterAll(() => program.stop());

  const refusal = async (query: string, data: unknown): Promise<unknown> =>
    (await post(program, '/execute', { query, data })).json();

  const taken = {
    status: 409,
    code: 'unique-violation',
    detail: 'Another row of entity Parted has the same value in id.',
  };

  test('a key that is taken', async () => {
    const row = { id: 1, v: 2 };
    expect(await refusal('Parted.insert()', row)).toMatchObject({ ...taken, place: 'data.id' });
    const rows = [{ id: 2, v: 2 }, row];
    const place = 'data[1].id';
    expect(await refusal('Parted.bulkInsert()', rows)).toMatchObject({ ...taken, place });
    const inserted = Array.from({ length: 8 }, (_, id) => ({ id, v: id === 1 ? 1 : 200 }));
    const all = await Promise.all(inserted.map((one) => refusal('Parted.insert()', one)));
    expect(all[1]).toMatchObject({ ...taken, place: 'data.id' });
    expect(await rowsOf(program, 'Parted.map(p=>{n:count(p.id)})')).toEqual([{ n: 1 }]);
  });

  test('a null', async () => {
    const isNull = {
      status: 422,
      code: 'not-null-violation',
      detail: 'Cannot be null property v in entity Parted.',
    };
    const data = { id: 2, v: null };
    expect(await refusal('Parted.insert()', data)).toMatchObject({ ...isNull, place: 'data.v' });
    const update = 'Parted.update({v:v}).filter(p=>p.id==1)';
    expect(await refusal(update, { v: null })).toMatchObject(isNull);
  });

  test('a condition of the table', async () => {
    const unmet = {
      status: 422,
      code: 'check-violation',
      detail: "A row of entity Parted does not meet the condition 'small' of the database.",
    };
    const data = { id: 2, v: 200 };
    expect(await refusal('Parted.insert()', data)).toMatchObject({ ...unmet, place: 'data' });
    expect(await refusal('Parted.update()', { id: 1, v: 200 })).toMatchObject(unmet);
  });

  return { refusal, served: () => program };
}

function schemaOf({ dialect, url }: OwnDatabase) {
  const properties = ['id', 'v'].map((name) => ({ name, type: 'integer' }));
  const entity = (name: string) => ({ name, primaryKey: ['id'], properties });
  const relation = { name: 'of', from: 'owner', entity: 'Owner', to: 'id', target: 'parts' };
  const entities = [
    entity('Owner'),
    entity('Watched'),
    {
      ...entity('Parted'),
      properties: [...properties, { name: 'owner', type: 'integer' }],
      relations: [relation],
    },
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
