/** Cursors with times that have no usual form. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useOwnPostgresql } from '../introspect/own-database.js';
import { type Program, startProgram } from '../support/program.js';
import { execute } from './stock.js';

const sql = `CREATE TABLE moment (id integer PRIMARY KEY, at timestamptz, day date);
  INSERT INTO moment VALUES
    (1, '4713-01-01 00:00:00 BC', '4713-01-01 BC'), (2, '0001-06-01 00:00:00+00 BC', '0001-06-01 BC'),
    (3, '0001-01-01 00:00:00+00', '0001-01-01'), (4, '9999-12-31 23:59:59.999999+00', '9999-12-31'),
    (5, '10000-01-01 00:00:00+00', '10000-01-01'), (6, '12345-06-07 08:09:10.123456+00', '12345-06-07'),
    (7, '275761-01-01 00:00:00+00', '275761-01-01'), (8, '294276-12-31 23:59:59+00', '999999-12-31'),
    (9, NULL, NULL)`;

describe('pages after a cursor with times far away', () => {
  const database = useOwnPostgresql(sql);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test.each([
    ['p.at', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['p.day', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['desc(p.at)', [9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['desc(p.day)', [9, 8, 7, 6, 5, 4, 3, 2, 1]],
  ])('contain each row once, sorted by %s', async (key, expected) => {
    const query = `Moment.sort(p=>${key}).map(p=>p.id).after(cursor).take(1)`;
    const ids: number[] = [];
    let cursor: string | undefined;
    do {
      const answer = await execute(program, query, { data: { cursor: cursor ?? null } });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      ids.push(...(answer.json() as readonly { readonly id: number }[]).map(({ id }) => id));
      cursor = /cursor="([\w-]+)"/.exec(answer.headers.get('link') ?? '')?.[1];
    } while (cursor !== undefined);
    expect(ids).toEqual(expected);
  });
});
