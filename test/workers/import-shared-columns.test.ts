/** Imports of rows whose foreign keys share a column with the key of their parent, which the database generates. */
import { afterEach, describe, expect, test } from 'vitest';
import { openMariadbStage } from '../mariadb/transfer-stage.js';
import { describeMariadb } from '../support/mariadb.js';
import { openStage, schemaOf } from './import-stage.js';
import type { ImportStage, OpenStage } from './import-suite.js';

const orders = schemaOf(`
entities:
  - name: Orders
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }]
  - name: Items
    primaryKey: [orderId, no]
    properties:
      - { name: orderId, type: integer }
      - { name: no, type: integer }
      - { name: giftNo, type: integer }
    relations:
      - { name: order, from: orderId, entity: Orders, to: id, target: items }
      - { name: gift, from: [orderId, giftNo], entity: Items, to: [orderId, no], target: givers }
`);

const heard = { ...orders, listeners: [{ name: 'any', on: ['insert' as const], after: 'true' }] };

function describeSharedColumns(open: OpenStage): void {
  let stage: ImportStage;
  afterEach(() => stage.close());

  const imported = (...items: readonly object[]) =>
    stage.import({ entities: [{ entity: 'Orders', rows: [{ items }] }] });
  const stored = () => stage.rows('SELECT orderId, no, giftNo FROM Items ORDER BY no');

  test.each([
    ['unheard', orders],
    ['heard', heard],
  ])('of %s rows are refused if one refers to a missing row', async (_, schema) => {
    stage = await open(schema);
    await expect(imported({ no: 1, giftNo: 9 })).rejects.toMatchObject({
      problem: { code: 'foreign-key-violation' },
    });
    expect(await stored()).toEqual([]);
  });

  test.each([
    ['unheard', orders],
    ['heard', heard],
  ])('of %s rows may refer to later rows, and to those nested deeper', async (_, schema) => {
    stage = await open(schema);
    const givers = [{ no: 3 }, { no: 4, givers: [{ no: 5 }] }];
    await imported({ no: 1, giftNo: 2 }, { no: 2, givers });
    expect(await stored()).toEqual([
      [1, 1, 2],
      [1, 2, null],
      [1, 3, 2],
      [1, 4, 2],
      [1, 5, 4],
    ]);
  });
}

describe('imports with shared columns on PostgreSQL', () => {
  describeSharedColumns(async (own) => {
    const stage = await openStage(own);
    return { ...stage, rows: async (text) => (await stage.sql(text)).map(Object.values) };
  });
});

describeMariadb('imports with shared columns', () => {
  describe.each(['MariaDB', 'MySQL'] as const)('the dialect %s', (dialect) => {
    describeSharedColumns((own) => openMariadbStage(own, dialect));
  });
});
