/**
 * Random graphs of objects are written with all their includes, and are the same when they are read.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/engine/index.js';
import { describeMariadb } from '../support/mariadb.js';
import { startWriteStage, type WriteStage } from './write-stage.js';

const text = (maxLength: number) =>
  fc.string({ unit: 'grapheme-ascii', maxLength }).filter((value) => !value.includes('\0'));

/** A member that may be missing, null, or present. */
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

const moment = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const day = moment.map((iso) => `${iso.slice(0, 10)}T00:00:00.000Z`);

const parts = fc.uniqueArray(
  fc.record(
    {
      number: fc.integer({ min: -1000, max: 1000 }),
      label: maybe(text(5)),
      serial: maybe(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      makerId: fc.constantFrom('AA', 'BB', null),
    },
    { requiredKeys: ['number'] },
  ),
  { selector: ({ number }) => number, maxLength: 4 },
);

const items = fc.uniqueArray(
  fc.record(
    {
      name: text(10),
      price: maybe(fc.integer({ min: 0, max: 10 ** 9 }).map((cents) => cents / 100)),
      stock: maybe(fc.integer({ min: -1000, max: 1000 })),
      active: maybe(fc.boolean()),
      made: maybe(moment),
      day: maybe(day),
      rank: fc.constantFrom(1, 2, null),
      makerId: fc.constantFrom('AA', 'BB', null),
      parts,
    },
    { requiredKeys: ['name'] },
  ),
  { selector: ({ name }) => name, maxLength: 4 },
);

const groups = fc.uniqueArray(
  fc.record({ name: text(20), note: maybe(text(80)), items }, { requiredKeys: ['name'] }),
  { selector: ({ name }) => name, minLength: 1, maxLength: 5 },
);

const include = '.include(g=>g.items.sort(i=>i.id).include(i=>i.parts.sort(q=>q.number)))';

describe('graphs on PostgreSQL', () => {
  graphTests('PostgreSQL');
});
describeMariadb('graphs', () => {
  graphTests('MariaDB');
});
describeMariadb('graphs in the statements of MySQL', () => {
  graphTests('MySQL');
});

function graphTests(dialect: DialectName): void {
  let stage: WriteStage;

  beforeAll(async () => {
    stage = await startWriteStage(dialect);
  });
  afterAll(() => stage.stop());

  test('a write returns what it stored, and a read returns the same', async () => {
    const write = 'Groups.bulkInsert().include(g=>g.items.include(i=>i.parts))';
    const read = `Groups.filter(g=>g.id>2).sort(g=>g.id)${include}`;
    await fc.assert(
      fc.asyncProperty(groups, async (given) => {
        await stage.seed();
        const data = given.filter(({ name }) => name !== 'tools' && name !== 'toys');
        const answered: unknown = await stage.gateway.rows(write, data);
        const found: unknown = await stage.gateway.rows(read);
        expect(byKeys(answered)).toEqual(byKeys(found));
        expect(byKeys(found)).toMatchObject(byKeys(withoutAbsent(data)));
      }),
      { numRuns: 60 },
    );
  });

  test('an upsert of rows that were read changes nothing', async () => {
    const read = `Groups.sort(g=>g.id)${include}`;
    const upsert = 'Groups.bulkUpsert().include(g=>g.items.include(i=>i.parts))';
    const write = 'Groups.bulkInsert().include(g=>g.items.include(i=>i.parts))';
    await fc.assert(
      fc.asyncProperty(groups, async (given) => {
        await stage.seed();
        const data = given.filter(({ name }) => name !== 'tools' && name !== 'toys');
        await stage.gateway.rows(write, data);
        const found: unknown = await stage.gateway.rows(read);
        const answered: unknown = await stage.gateway.rows(upsert, found);
        expect(byKeys(answered)).toEqual(byKeys(found));
        expect(await stage.gateway.rows(read)).toEqual(found);
      }),
      { numRuns: 30 },
    );
  });
}

/** Groups and items by name, and parts by number: independent of the order and of generated keys. */
function byKeys(value: unknown): unknown[] {
  if (!Array.isArray(value)) return [];
  const rows: readonly Record<string, unknown>[] = value;
  return rows
    .map((row) => ({
      ...row,
      ...('items' in row && { items: byKeys(row['items']) }),
      ...('parts' in row && { parts: byKeys(row['parts']) }),
    }))
    .sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function keyOf(row: Record<string, unknown>): string {
  return String(row['name'] ?? String(row['number']).padStart(6));
}

/** Removes members that are undefined. */
function withoutAbsent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
