/** Unique keys that the database stores as their `writeExp` returns them. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Codes',
    primaryKey: ['id'],
    uniqueKey: ['code'],
    properties: [
      { name: 'id', type: 'integer', autoIncrement: true },
      { name: 'code', required: true, length: 20, writeExp: 'upper(code)' },
      { name: 'title', required: true, length: 20 },
      { name: 'note', length: 20 },
    ],
  },
];

describeDomain('a unique key with a writeExp', entities, (stage) => {
  const notes = () => stage().ask('Codes.sort(p=>p.id).map(p=>[p.code,p.note])');

  test('finds the row of an upsert that lacks values of a new one', async () => {
    await stage().ask('Codes.bulkInsert()', [
      { code: 'a', title: 'A' },
      { code: 'b', title: 'B' },
    ]);
    await stage().ask('Codes.upsert()', { code: 'a', note: 'one' });
    expect(await notes()).toEqual([
      { code: 'A', note: 'one' },
      { code: 'B', note: null },
    ]);
    const rows = ['a', 'b'].map((code) => ({ code, note: 'many' }));
    await stage().ask('Codes.bulkUpsert()', rows);
    expect(await notes()).toEqual([
      { code: 'A', note: 'many' },
      { code: 'B', note: 'many' },
    ]);
  });

  test('finds the row of rows whose keys it makes equal', async () => {
    const rows = [
      { code: 'b', note: 'first' },
      { code: 'B', note: 'last' },
    ];
    await stage().ask('Codes.bulkUpsert()', rows);
    expect(await stage().ask('Codes.filter(p=>p.code=="B").map(p=>p.note)')).toEqual([
      { note: 'last' },
    ]);
  });
});
