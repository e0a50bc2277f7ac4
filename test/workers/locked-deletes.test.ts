/**
 * A delete with included rows selects and locks its root rows first, so another writer beside it
 * changes either all of what it deletes or nothing.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/engine/index.js';
import { describeMariadb } from '../support/mariadb.js';
import { until } from '../support/program.js';
import { beside, runBeside, waits } from './beside-writer.js';
import type { WriteDatabase } from './write-database.js';
import { startWriteStage, type WriteStage } from './write-stage.js';

const deleteLow = 'Items.filter(p=>p.stock<5).delete().include(p=>p.parts)';
const deleteWithFewParts = 'Items.filter(p=>p.parts.count()==2).delete().include(p=>p.parts)';

function describeLocks(dialect: DialectName): void {
  let stage: WriteStage;
  beforeAll(async () => {
    stage = await startWriteStage(dialect);
  });
  beforeEach(() => stage.seed());
  afterAll(() => stage.stop());

  test('a root row that a writer changes beside the delete keeps its included rows', async () => {
    const answer = await runBeside(stage, deleteLow, 'UPDATE Items SET stock = 9 WHERE id = 1');
    expect(answer).toBe('1');
    expect(await stored()).toEqual({ items: ['1', '3'], parts: ['1|1', '1|2'] });
  });

  test('an included row that a writer inserts beside the delete is deleted or keeps its root row', async () => {
    const insert = `INSERT INTO "Item Parts" (itemId, number) VALUES (1, 3)`;
    const answer = await runBeside(stage, deleteWithFewParts, insert);
    const { items, parts } = await stored();
    const isDeleted = !items.includes('1');
    expect(answer).toBe(isDeleted ? '1' : '0');
    expect(items).toEqual(isDeleted ? ['2', '3'] : ['1', '2', '3']);
    expect(parts).toEqual(isDeleted ? ['2|1'] : ['1|1', '1|2', '1|3', '2|1']);
  });

  test('the root rows are locked before their included rows are deleted', async () => {
    const { database } = stage;
    const change = `UPDATE "Item Parts" SET label = 'x' WHERE itemId = 1 AND number = 1`;
    await database.sql(`BEGIN; ${change}`);
    const deleting = stage.gateway.execute(deleteLow);
    await until('the delete waits', () => waits(database));
    const states = [await stateOf(database, 1), await stateOf(database, 2)];
    await database.sql('COMMIT');
    expect((await deleting).text).toBe('2');
    expect(states).toEqual(['locked', 'locked']);
    expect(await stored()).toEqual({ items: ['3'], parts: [] });
  });

  /** The keys of the rows in the tables. */
  async function stored() {
    const tables = await stage.database.readTables();
    const keys = (name: string, count: number) =>
      (tables[name] ?? []).map((row) => row.split('|').slice(0, count).join('|'));
    return { items: keys('Items', 1), parts: keys('Items.parts', 2) };
  }
}

/** Whether another connection has locked the row. */
async function stateOf(database: WriteDatabase, id: number): Promise<'free' | 'locked'> {
  try {
    await beside(database, `SELECT id FROM Items WHERE id = ${id} FOR UPDATE NOWAIT`);
    return 'free';
  } catch (error) {
    expect(error).toMatchObject({ code: database.postgresql ? '55P03' : 'ER_LOCK_WAIT_TIMEOUT' });
    return 'locked';
  }
}

describe('a delete with included rows on PostgreSQL', () => {
  describeLocks('PostgreSQL');
});

describeMariadb('a delete with included rows', () => {
  describe.each<DialectName>(['MariaDB', 'MySQL'])('the dialect %s', (dialect) => {
    describeLocks(dialect);
  });
});
