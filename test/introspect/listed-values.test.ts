/** Rows of a list, and rows beside those of other requests, store what a row alone stores. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, type Program, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

/** A column type, and values as they stand in the data. */
const types: readonly (readonly [string, readonly string[]])[] = [
  ['json', ['{"b" : 1,  "a": [2.50], "b": null}', '"a  text"']],
  ['short_json', ['{"b": 1, "a": 2}', '{"long": "0123456789012345678901234567890123456789"}']],
  ['jsonb', ['{"b" : 1,  "a": [2.50], "b": null}']],
  ['cidr', ['"10.0.0.0/8"', '"10.0.0.1"', '"10.0.0.1/8"']],
  ['inet', ['"10.0.0.1/8"', '"::1"']],
  ['inet[]', ['["10.0.0.1/8"]']],
  ['varchar(3)', ['"ab   "', '"abcd"']],
  ['char(3)', ['"ab   "', '"abcd"']],
  ['varchar(3)[]', ['["ab   ", "a,\\"", null]', '["abcd"]']],
  ['char(3)[]', ['["a"]', '["abcd"]']],
  ['"char"', ['"a"']],
  ['citext', ['"aB"']],
  ['citext[]', ['["aB"]']],
  ['macaddr', ['"08002b010203"', '"x"']],
  ['ltree', ['"a.b"']],
  ['xml', ['"a<b/>"', '"<a"']],
  ['interval(0)', ['"PT6.7S"']],
  ['numeric(5,2)', ['1.239', '99999']],
  ['numeric(5,2)[]', ['[1.239]', '[99999]']],
  ['smallint', ['7', '70000']],
  ['timestamp(0)', ['"2024-02-29T12:00:00.5+02:00"']],
  ['time(0)', ['"23:59:59.9"']],
];

describe('on PostgreSQL', () => {
  const tables = types.map(
    ([type], at) => `CREATE TABLE t${at} (id serial PRIMARY KEY, v ${type})`,
  );
  const database = useOwnPostgresql(
    `CREATE EXTENSION citext; CREATE EXTENSION ltree;
     CREATE DOMAIN short_json AS json CHECK (length(value::text) < 40); ${tables.join(';')};
     CREATE DOMAIN must AS text NOT NULL; CREATE TABLE host (id int PRIMARY KEY, name must, nets cidr[], kind inet[])`,
  );
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const names = types.map(([type, values], at) => [type, at, values] as const);
  test.each(names)('%s', async (_, at, values) => {
    const send = async (query: string, data: string) => {
      const answer = await post(program, '/execute', `{"query":"${query}","data":${data}}`);
      return answer.status;
    };
    const stored = async () => (await database.texts(`SELECT v::text FROM t${at}`)).flat();
    for (const value of values) {
      await database.run(`TRUNCATE t${at}`);
      const row = `{"v":${value}}`;
      const status = await send(`T${at}.insert()`, row);
      const [alone] = await stored();
      const isStored = status === 200;
      expect(alone === undefined).toBe(!isStored);
      expect(await send(`T${at}.bulkInsert()`, `[${row},${row}]`)).toBe(status);
      expect(await stored()).toEqual(isStored ? [alone, alone, alone] : []);
      await Promise.all(Array.from({ length: 20 }, () => send(`T${at}.insert()`, row)));
      expect(await stored()).toEqual(isStored ? Array.from({ length: 23 }, () => alone) : []);
      if (!isStored) continue;
      await database.run(`TRUNCATE t${at}; INSERT INTO t${at} VALUES (0), (1)`);
      const rows = `[{"id":0,"v":${value}},{"id":1,"v":${value}}]`;
      expect(await send(`T${at}.bulkUpsert()`, rows)).toBe(200);
      expect(await stored()).toEqual([alone, alone]);
    }
  });

  test('arrays of addresses beside a column whose domain must not be null', async () => {
    const row = (id: number) => ({ id, name: 'a', nets: ['10.0.0.0/8'], kind: ['10.0.0.1'] });
    const request = { query: 'Host.bulkInsert()', data: [row(1), row(2)] };
    const answer = await post(program, '/execute', request);
    expect([answer.status, answer.json()]).toEqual([200, [row(1), row(2)]]);
  });
});
