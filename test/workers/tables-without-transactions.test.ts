/** A refused write leaves each row of the others stored once, on MariaDB also in tables without transactions. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Notes',
    primaryKey: ['id'],
    uniqueKey: ['name'],
    properties: [
      { name: 'id', type: 'integer', required: true, autoIncrement: true },
      { name: 'name', length: 20 },
    ],
  },
  {
    name: 'Marks',
    primaryKey: ['name'],
    properties: [{ name: 'name', length: 20, required: true }],
  },
];

const ROUNDS = 5;

describeDomain('writes beside a refused one', entities, (stage) => {
  beforeAll(async () => {
    if (stage().dialect !== 'MariaDB') return;
    for (const table of ['Notes', 'Marks'])
      await stage().sql(`ALTER TABLE ${table} ENGINE = MyISAM`);
  });
  beforeEach(async () => {
    for (const entity of ['Notes', 'Marks']) {
      await stage().ask(`${entity}.deleteAll()`);
      await stage().ask(`${entity}.insert()`, { name: 'taken' });
    }
  });

  test.each(['Notes', 'Marks'])('are stored once, and answered (%s)', async (entity) => {
    const names: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = Array.from({ length: 24 }, (_, index) => `${round}-${index}`);
      names.push(...own);
      const insert = (name: string) => stage().ask(`${entity}.insert()`, { name });
      const first = own.slice(0, 12).map(insert);
      const refused = stage().problem(`${entity}.insert()`, { name: 'taken' });
      const stored = [...first, ...own.slice(12).map(insert)];
      for (const [index, answer] of (await Promise.all(stored)).entries()) {
        expect(answer).toMatchObject({ name: own[index] });
      }
      expect(await refused).toMatchObject({ code: 'unique-violation' });
    }
    const rows = await stage().ask(`${entity}.filter(p=>p.name!="taken").map(p=>p.name)`);
    const found = Array.isArray(rows) ? rows.map((row: { name: string }) => row.name) : [];
    expect(found.sort()).toEqual(names.sort());
  });

  test('of one list are not stored twice', async () => {
    const data = [null, null, 'taken', null].map((name) => ({ name }));
    expect(await stage().problem('Notes.bulkInsert()', data)).toMatchObject({
      code: 'unique-violation',
    });
    // A table without transactions keeps the rows before the refused one.
    const kept = stage().dialect === 'MariaDB' ? 2 : 0;
    expect(await stage().ask('Notes.filter(p=>p.name==null).map(p=>p.name)')).toHaveLength(kept);
  });
});
