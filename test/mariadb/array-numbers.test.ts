/** Numbers in arrays, which MariaDB stores as JSON: each must fit the type of the items. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from '../introspect/own-database.js';
import { describeMariadb } from '../support/mariadb.js';
import { schemaOf } from '../workers/import-stage.js';
import { startWorker, type TestWorker } from '../workers/test-worker.js';
import { openMariadbStage } from './transfer-stage.js';

const columnsOf = {
  PostgreSQL: 'nums bigint[], reals double precision[], sums numeric[]',
  MariaDB: 'nums json, reals json, sums json',
};

const sqlOf = (dialect: keyof typeof columnsOf) =>
  `CREATE TABLE thing (id integer PRIMARY KEY, ${columnsOf[dialect]});
   INSERT INTO thing (id) VALUES (1)`;

const beyond: readonly (readonly [string, string])[] = [
  ['nums', '9223372036854775808'],
  ['nums', '-9223372036854775809'],
  ['nums', '"99999999999999999999"'],
  ['reals', '1e400'],
  ['reals', '-1e309'],
];

const accepted = {
  nums: '[9223372036854775807,-9223372036854775808,7,null]',
  reals: '[1.5,1.7976931348623157e308,null]',
  sums: '[0.1,99999999999999999999999999999999999,null]',
};

/** Declares the tests of both databases; returns how every write of an item is expected to be refused. */
function suite(database: OwnDatabase): (name: string, item: string) => Promise<void> {
  let worker: TestWorker;
  beforeAll(() => {
    worker = startWorker(documentOf(database));
  });
  afterAll(() => worker.close());

  const refusal = async (query: string, data: string) => {
    await expect(worker.gateway.execute(query, { data })).rejects.toMatchObject({
      problem: { code: 'value-out-of-range' },
    });
  };

  test.each(beyond)('refuse an item of %s that is %s', (name, item) => refusals(name, item));

  async function refusals(name: string, item: string): Promise<void> {
    const list = `"${name}": [1, ${item}]`;
    await refusal('thing.insert()', `{"id": 2, ${list}}`);
    await refusal('thing.bulkInsert()', `[{"id": 2}, {"id": 3, ${list}}]`);
    await refusal('thing.update()', `{"id": 1, ${list}}`);
    await refusal(`thing.update({${name}: v}).filter(p=>p.id==1)`, `{"v": [${item}]}`);
    await refusal('thing.upsert()', `{"id": 1, ${list}}`);
    await refusal('thing.bulkUpsert()', `[{"id": 2}, {"id": 1, ${list}}]`);
    expect(await worker.gateway.rows('thing.map(p=>p.id)')).toEqual([{ id: 1 }]);
  }

  test('accept the extremes, which computations can use', async () => {
    const { nums, reals, sums } = accepted;
    const row = `{"id": 9, "nums": ${nums}, "reals": ${reals}, "sums": ${sums}}`;
    await worker.gateway.execute('thing.insert()', { data: row });
    const { text } = await worker.gateway.execute(
      'thing.filter(p=>p.id==9).map(p=>({a: p.nums[0], b: p.nums[1], c: p.reals[1], d: p.sums[1], x: p.nums}))',
    );
    expect(text).toBe(
      `[{"a":9223372036854775807,"b":-9223372036854775808,"c":1.7976931348623157e+308,"d":99999999999999999999999999999999999,"x":${nums}}]`,
    );
    await worker.gateway.execute('thing.delete().filter(p=>p.id==9)');
  });

  test('are stored without the signs and zeros of their text', async () => {
    const data =
      '{"id": 8, "nums": ["007", "+5"], "reals": [".5", "+5."], "sums": ["00.50", "1e3"]}';
    await worker.gateway.execute('thing.insert()', { data });
    const query = 'thing.filter(p=>p.id==8).map(p=>({n: p.nums, r: p.reals, s: p.sums}))';
    const { text } = await worker.gateway.execute(query);
    expect(text).toBe('[{"n":[7,5],"r":[0.5,5],"s":[0.5,1000]}]');
    await worker.gateway.execute('thing.delete().filter(p=>p.id==8)');
  });

  test('can have many digits behind the point', async () => {
    const data = `{"id": 7, "sums": [0.${'1'.repeat(50)}, 1e-50]}`;
    await worker.gateway.execute('thing.insert()', { data });
    const query = 'thing.filter(p=>p.sums[0]>0.1 && p.sums[1]<0.1).map(p=>p.id)';
    expect(await worker.gateway.rows(query)).toEqual([{ id: 7 }]);
    await worker.gateway.execute('thing.delete().filter(p=>p.id==7)');
  });

  return refusals;
}

describe('numbers in arrays on PostgreSQL', () => {
  suite(useOwnPostgresql(sqlOf('PostgreSQL')));
});

describeMariadb('numbers in arrays', () => {
  const refusals = suite(useOwnMariadb(sqlOf('MariaDB')));

  test.each(['1e35', '-1e400', '9'.repeat(36)])('refuse the decimal %s', (item) =>
    refusals('sums', item),
  );

  test.each([...beyond, ['sums', '1e35'] as const])(
    'refuse %s with %s in an import',
    async (name, item) => {
      const stage = await openMariadbStage(
        schemaOf(
          'entities: [{ name: Thing, primaryKey: [id], properties: [{ name: id, type: integer }, { name: nums, type: "integer[]" }, { name: reals, type: "number[]" }, { name: sums, type: "decimal[]" }] }]',
        ),
      );
      try {
        const rows = `[{"id": 1, "${name}": [1]}, {"id": 2, "${name}": [${item}]}]`;
        await expect(
          stage.import(`{"entities": [{"entity": "Thing", "rows": ${rows}}]}`),
        ).rejects.toMatchObject({ problem: { code: 'value-out-of-range' } });
        expect(await stage.rows('SELECT * FROM Thing')).toEqual([]);
      } finally {
        await stage.close();
      }
    },
  );
});

function documentOf({ dialect, url }: OwnDatabase): unknown {
  const properties = [
    { name: 'id', type: 'integer' },
    { name: 'nums', type: 'integer[]' },
    { name: 'reals', type: 'number[]' },
    { name: 'sums', type: 'decimal[]' },
  ];
  return {
    domain: { version: '1.0.0', entities: [{ name: 'thing', primaryKey: ['id'], properties }] },
    infrastructure: {
      mappings: [{ name: 'default' }],
      sources: [{ name: 'default', dialect, mapping: 'default', connection: { url } }],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
    },
  };
}
