/** Literals that a database cannot compare get the same answer from a shared plan as from one of their own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const tables = (address: string) =>
  `CREATE TABLE host (id integer PRIMARY KEY, price numeric(9,2), weight double precision, address ${address});
  INSERT INTO host VALUES (1, 2.5, 0.1, '00:00:00:00:00:01');`;

describe('literals on PostgreSQL', () => {
  suite(useOwnPostgresql(tables('macaddr')));
});
describeMariadb('literals', () => {
  suite(useOwnMariadb(tables('varchar(20)')));
});

const nines = '9'.repeat(400);

const queries = [
  ...["'00:00:00:00:00:01'", "'0'", "''"].map((text) => `p.address==${text}`),
  ...['1', nines, `-${nines}`].map((number) => `p.id<${number} || p.price>${number}`),
  ...['0.1', nines].map((number) => `p.weight<=${number}`),
  ...['2.5', '5'].map((number) => `x==${number} && p.price==x`),
  'x==5 && x==y && y==p.weight',
  "p.address=='00:00:00:00:00:01' && p.id<z",
  ...["'0','1'", "'00:00:00:00:00:01'"].map((texts) => `in(p.address,[${texts}])`),
  ...[`1,${nines}`, '1,2.5'].map((numbers) => `in(p.id,[${numbers}])`),
  'in(x,[1,2]) && p.price==x',
];

function suite(database: OwnDatabase): void {
  let programs: readonly Program[];
  beforeAll(async () => {
    programs = await Promise.all(
      ['1', '0'].map((from) =>
        startProgram(['--url', database.url, '--workers', '1', '--share-plans-from', from]),
      ),
    );
  });
  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  test.each(queries)('%s', async (condition) => {
    const query = `Host.filter(p=>${condition}).map(p=>p.id)`;
    for (const data of [{}, { x: 2.5, y: 1e300 }, { x: 'a' }]) {
      const [shared, own] = await Promise.all(
        programs.map(async (program) => {
          const { status, text } = await post(program, '/execute', { query, data });
          return { status, text: text.replace(/"requestId":"[^"]*"/, '') };
        }),
      );
      expect(shared).toEqual(own);
    }
  });
}
