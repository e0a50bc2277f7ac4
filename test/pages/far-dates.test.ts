/** Cursors with times that have no usual form. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from '../introspect/own-database.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, startProgram } from '../support/program.js';
import { execute } from './stock.js';

const sql = `CREATE TABLE moment (id integer PRIMARY KEY, at timestamptz, day date);
  INSERT INTO moment VALUES
    (1, '4713-01-01 00:00:00 BC', '4713-01-01 BC'), (2, '0001-06-01 00:00:00+00 BC', '0001-06-01 BC'),
    (3, '0001-01-01 00:00:00+00', '0001-01-01'), (4, '9999-12-31 23:59:59.999999+00', '9999-12-31'),
    (5, '10000-01-01 00:00:00+00', '10000-01-01'), (6, '12345-06-07 08:09:10.123456+00', '12345-06-07'),
    (7, '275761-01-01 00:00:00+00', '275761-01-01'), (8, '294276-12-31 23:59:59+00', '999999-12-31'),
    (9, NULL, NULL)`;

type Case = readonly [key: string, ids: readonly number[]];

const far: readonly Case[] = [
  ['p.at', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['p.day', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['desc(p.at)', [9, 8, 7, 6, 5, 4, 3, 2, 1]],
  ['desc(p.day)', [9, 8, 7, 6, 5, 4, 3, 2, 1]],
];

describe('pages after a cursor with times far away', () => {
  suite(useOwnPostgresql(sql), far);
});

/** Times that requests cannot write. */
const times: readonly Case[] = [
  ['p.clock', [1, 2, 3, 4, 5]],
  ['desc(p.clock)', [5, 4, 3, 2, 1]],
];

const clocks = (type: string, least: string, most: string) =>
  `CREATE TABLE moment (id integer PRIMARY KEY, clock ${type});
  INSERT INTO moment VALUES (1, '${least}'), (2, '12:30'), (3, '23:59:59.999999'), (4, '${most}'), (5, NULL)`;

describe('pages after a cursor with times of 24 hours', () => {
  suite(useOwnPostgresql(clocks('time', '00:00', '24:00')), times);
});

describeMariadb('pages after a cursor with times beyond a day', () => {
  suite(useOwnMariadb(clocks('time(6)', '-01:02:03.5', '100:00')), times);
});

const partial: readonly Case[] = [
  ['p.at', [1, 2, 3, 4, 5, 6]],
  ['desc(p.at)', [6, 5, 4, 3, 2, 1]],
  ['p.day', [1, 2, 3, 4, 5, 6]],
  ['desc(p.day)', [6, 5, 4, 3, 2, 1]],
  ['max(p.day)', [1, 2, 3, 4, 5, 6]],
];

const zeros = `CREATE TABLE moment (id integer PRIMARY KEY, at datetime(6), day date);
  SET sql_mode = '';
  INSERT INTO moment VALUES (1, '0000-00-00', '0000-00-00'), (2, '2020-00-00', '2020-00-00'),
    (3, '2020-00-00 01:02:03.5', '2020-05-00'), (4, '2020-05-00', '2020-05-01'),
    (5, '2024-01-01 02:03:04.000001', '2024-01-01'), (6, NULL, NULL)`;

describeMariadb('pages after a cursor with dates that lack a year, a month or a day', () => {
  suite(useOwnMariadb(zeros), partial);
});

function suite(database: OwnDatabase, cases: readonly Case[]): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test.each(cases)('contain each row once, sorted by %s', async (key, expected) => {
    const source = key.includes('max')
      ? 'Moment.map(p=>({id: p.id, day: max(p.day)}))'
      : 'Moment.map(p=>p.id)';
    const query = `${source}.sort(p=>${key}).after(cursor).take(1)`;
    const ids: number[] = [];
    let cursor: string | undefined;
    do {
      const answer = await execute(program, query, { data: { cursor: cursor ?? null } });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      ids.push(...(answer.json() as readonly { readonly id: number }[]).map(({ id }) => id));
      cursor = /cursor="([\w-]+)"/.exec(answer.headers.get('link') ?? '')?.[1];
    } while (cursor !== undefined && ids.length < expected.length);
    expect(ids).toEqual(expected);
  });
}
