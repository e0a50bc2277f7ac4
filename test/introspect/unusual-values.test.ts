/** An export contains, and an import stores, values that the data of a request cannot have. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

describe('on PostgreSQL', () => {
  const database = useOwnPostgresql(`
    CREATE TABLE sample (id integer PRIMARY KEY, at timestamptz, local timestamp, day date, ratio float8, single float4,
      exact numeric, clock time, days date[], ratios float8[], word text);
    INSERT INTO sample VALUES
      (1, 'infinity', 'infinity', 'infinity', 'NaN', 'NaN', 'NaN', '24:00:00', '{infinity,2020-01-01,NULL}', '{NaN,1}', 'NaN'),
      (2, '-infinity', '-infinity', '-infinity', 'Infinity', 'Infinity', 'Infinity', '23:59:59.5', '{-infinity}', '{-Infinity}',
        'infinity'),
      (3, '2020-01-01', '2020-01-01', '0044-03-15 BC', '-Infinity', '-Infinity', '-Infinity', '00:00', '{}', '{}', '');
    CREATE TABLE era (day date PRIMARY KEY, name text);
    CREATE TABLE event (id integer PRIMARY KEY, day date REFERENCES era);
    INSERT INTO era VALUES ('infinity', 'end'), ('-infinity', 'start');
    INSERT INTO event VALUES (1, 'infinity'), (2, '-infinity'), (3, NULL);`);
  const program = suite(database);

  test('other answers contain null, and other data is refused', async () => {
    expect(await rowsOf(program(), 'Sample.filter(p=>p.id==1).map(p=>[p.at,p.ratio])')).toEqual([
      { at: null, ratio: null },
    ]);
    for (const row of [{ at: 'infinity' }, { ratio: 'NaN' }, { clock: '24:00:00' }]) {
      const answer = await post(program(), '/execute', {
        query: 'Sample.insert()',
        data: JSON.stringify({ id: 9, ...row }),
      });
      expect(answer.json()).toMatchObject({ status: 400, code: 'parameter-type' });
    }
  });

  test.each(['at', 'local', 'day'])(
    'functions of an infinite date are null, or infinite, which is answered as null: %s',
    async (name) => {
      const calls = [
        ...['date', 'time', 'dateTime', 'year', 'month', 'day', 'weekday'].map(
          (each) => `${each}(d)`,
        ),
        ...['hour', 'minute', 'second', 'millisecond', 'dateToString'].map((each) => `${each}(d)`),
        ...['Year', 'Month', 'Day', 'Hour', 'Minute', 'Second', 'Millisecond'].flatMap((unit) => [
          `add${unit}(d, 1)`,
          `add${unit}(d, -p.id)`,
        ]),
        'addTime(d, "01:00:00")',
        'subtractTime(d, "01:00:00")',
        ...['year', 'day', 'hour', 'second', 'millisecond'].flatMap((unit) => [
          `${unit}Diff(d, now())`,
          `${unit}Diff("2020-01-01", d)`,
          `${unit}Diff(d, d)`,
        ]),
      ].map((call) => call.replaceAll(/\bd\b/g, `p.${name}`));
      const members = calls.map((call, index) => `x${index}: ${call}`);
      const query = `Sample.filter(p=>p.id<3).map(p=>({${members.join()}}))`;
      const nulls = Object.fromEntries(calls.map((_, index) => [`x${index}`, null]));
      expect(await rowsOf(program(), query)).toEqual([nulls, nulls]);
    },
  );

  test('infinite dates do not keep a filter from finding other rows', async () => {
    const filter = 'year(p.at)==2020 && dayDiff(p.local, "2020-01-03")==-2';
    expect(await rowsOf(program(), `Sample.filter(p=>${filter}).map(p=>p.id)`)).toEqual([
      { id: 3 },
    ]);
  });

  test('an import still refuses what no database stores', async () => {
    const wrong = [{ at: 'Infinity' }, { day: 'NaN' }, { exact: 'infinity' }, { id: 'NaN' }];
    for (const row of [...wrong, { clock: '24:00:01' }, { days: ['infinity', 'NaN'] }]) {
      const entities = [{ entity: 'Sample', rows: [{ id: 9, ...row }] }];
      const answer = await post(program(), '/stages/default/import', { entities });
      expect(answer.json()).toMatchObject({ status: 400, code: 'parameter-type' });
    }
  });
});

describeMariadb('unusual values', () => {
  const database = useOwnMariadb(`
    CREATE TABLE sample (id integer PRIMARY KEY, clock time(6), word varchar(20));
    CREATE TABLE era (id integer PRIMARY KEY);
    CREATE TABLE event (id integer PRIMARY KEY);
    CREATE TABLE host (id integer PRIMARY KEY, old inet4, young inet6);
    INSERT INTO sample VALUES (1, '24:00:00', 'NaN'), (2, '-00:30:00.5', 'infinity'), (3, '838:59:59', ''), (4, '12:00', NULL);`);
  const program = suite(database);

  test('infinities are refused', async () => {
    const entities = [{ entity: 'Sample', rows: [{ id: 9, clock: 'infinity' }] }];
    const answer = await post(program(), '/stages/default/import', { entities });
    expect(answer.json()).toMatchObject({ status: 400, code: 'parameter-type' });
  });

  test('times of more than a day, and negative ones, have a text', async () => {
    const texts = 'Sample.map(p=>({text: toString(p.clock)})).sort(p=>p.text)';
    const found = ['-00:30:00.500', '12:00:00', '24:00:00', '838:59:59'];
    expect(await rowsOf(program(), texts)).toEqual(found.map((text) => ({ text })));
  });

  test('addresses of different types cannot be compared', async () => {
    const answer = await post(program(), '/execute', { query: 'Host.filter(p=>p.old==p.young)' });
    expect(answer.json()).toMatchObject({ status: 400, code: 'operation-undefined' });
  });

  test.each(['839:00:00', '-839:00:00', '900:00:00', '100:60:00', '838:59:59.9999999'])(
    'an import refuses the time %s, and names the range',
    async (clock) => {
      const rows = [
        { id: 8, clock: '-838:59:59.999999' },
        { id: 9, clock },
      ];
      const entities = [{ entity: 'Sample', rows }];
      const answer = await post(program(), '/stages/default/import', { entities });
      const range = 'a time (HH:MM:SS, from -838:59:59 to 838:59:59)';
      expect(answer.json()).toMatchObject({
        status: 400,
        code: 'parameter-type',
        detail: `'clock' takes ${range}, but was given a string that is not one.`,
        errors: [{ place: 'entities[0].rows[1].clock' }],
      });
    },
  );

  test('an import stores the longest times', async () => {
    const rows = ['838:59:59.999999', '-838:59:59.999999', '799:00:00', '829:00:00'].map(
      (clock, index) => ({ id: 10 + index, clock }),
    );
    const entities = [{ entity: 'Sample', rows }];
    const answer = await post(program(), '/stages/default/import', { entities });
    expect(answer.status, answer.text).toBe(200);
    const stored = await database.texts('SELECT clock FROM sample WHERE id > 9 ORDER BY id');
    expect(stored.flat()).toEqual([
      '838:59:59.999999',
      '-838:59:59.999999',
      '799:00:00.000000',
      '829:00:00.000000',
    ]);
  });

  test('the data of a request is a time of day', async () => {
    const answer = await post(program(), '/execute', {
      query: 'Sample.insert()',
      data: JSON.stringify({ id: 9, clock: '100:00:00' }),
    });
    expect(answer.json()).toMatchObject({
      status: 400,
      detail:
        "'clock' takes a time (HH:MM:SS, up to 23:59:59), but was given a string that is not one.",
    });
  });
});

function suite(database: OwnDatabase): () => Program {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test.each(['', '?pretty=true'])(
    'an import of an export stores the same values%s',
    async (form) => {
      const stored = async () => [
        await database.texts('SELECT * FROM sample ORDER BY id'),
        await database.texts('SELECT * FROM era ORDER BY 1'),
        await database.texts('SELECT * FROM event ORDER BY id'),
      ];
      const before = await stored();
      const exported = await ask(program, `/stages/default/export${form}`);
      expect(exported.status, exported.text).toBe(200);
      for (const table of ['event', 'era', 'sample']) await database.run(`DELETE FROM ${table}`);
      const imported = await post(program, '/stages/default/import', exported.json());
      expect(imported.status, imported.text).toBe(200);
      expect(await stored()).toEqual(before);
    },
  );
  return () => program;
}
