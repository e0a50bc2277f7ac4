/**
 * A write by a filter with a path waits for another writer of the same row, and then checks the row again: it is written
 * only if the filter still selects it.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/engine/index.js';
import { describeMariadb } from '../support/mariadb.js';
import { runBeside } from './beside-writer.js';
import { startWriteStage, type WriteStage } from './write-stage.js';

const inStock = `p=>p.stock>0 && p.group.name=='tools'`;
const sold = 'UPDATE Items SET stock = 0 WHERE id = 1';
const moved = 'UPDATE Items SET groupId = 2 WHERE id = 1';
const taken = 'UPDATE Items SET stock = stock - 1 WHERE id = 1';
const withParts = 'include(p=>p.parts)';
const takeOne = `Items.update(p=>({stock: p.stock-1})).filter(${inStock})`;

function describeRechecks(dialect: DialectName): void {
  let stage: WriteStage;
  beforeAll(async () => {
    stage = await startWriteStage(dialect);
  });
  beforeEach(() => stage.seed());
  afterAll(() => stage.stop());

  test.each([
    ['changes so that it no longer matches', sold],
    ['moves to another related row', moved],
  ])('a row that a writer %s is neither updated nor deleted', async (_, change) => {
    for (const query of [
      takeOne,
      `Items.delete().filter(${inStock})`,
      `Items.filter(${inStock}).delete().${withParts}`,
    ]) {
      await stage.seed();
      const answer = await runBeside(stage, query, change);
      expect({ query, answer, ...(await rows()) }).toMatchObject({ query, answer: '0', parts: 3 });
      expect((await rows()).stocks).toEqual(change === sold ? [0, 0, 5] : [3, 0, 5]);
    }
  });

  test('a row that still matches is written with the value that the writer left', async () => {
    expect(await runBeside(stage, takeOne, taken)).toBe('1');
    expect((await rows()).stocks).toEqual([1, 0, 5]);
  });

  test('a row that still matches is deleted with its included rows', async () => {
    const query = `Items.filter(${inStock}).delete().${withParts}`;
    expect(await runBeside(stage, query, taken)).toBe('1');
    expect(await rows()).toEqual({ stocks: [0, 5], parts: 1 });
  });

  test.each([
    `Nodes.update({name: 'x'}).filter(p=>p.name=='leaf' && p.parent.name=='root')`,
    `Nodes.delete().filter(p=>p.name=='leaf' && p.parent.name=='root')`,
    `Nodes.delete().filter(p=>p.name=='leaf' && p.parent.children.count()==1)`,
  ])(
    'the own properties are checked again if the path leads to the same table: %s',
    async (query) => {
      const change = `UPDATE nodes SET name = 'other' WHERE id = 2`;
      expect(await runBeside(stage, query, change)).toBe('0');
      const tables = await stage.database.readTables();
      expect(tables['Nodes']).toEqual(['1|root|∅', '2|other|1']);
    },
  );

  /** The stocks of all items, and the number of parts. */
  async function rows() {
    const items: unknown = JSON.parse((await stage.gateway.execute('Items.sort(p=>p.id)')).text);
    const stocks = Array.isArray(items) ? items.map((each: { stock: number }) => each.stock) : [];
    const tables = await stage.database.readTables();
    return { stocks, parts: tables['Items.parts']?.length };
  }
}

describe('a write by a filter with a path on PostgreSQL', () => {
  describeRechecks('PostgreSQL');
});

describeMariadb('a write by a filter with a path', () => {
  describe.each<DialectName>(['MariaDB', 'MySQL'])('the dialect %s', (dialect) => {
    describeRechecks(dialect);
  });
});
