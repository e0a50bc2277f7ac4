/** A written text that is too long for MariaDB to compute is refused there; it is never stored as null. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Notes',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'text', length: 'max' },
    ],
  },
];
const LETTERS = 8_400_000;

describeDomain('a text of 17 million letters', entities, (stage) => {
  test.each([
    'Notes.update(p=>({text: "" + s + s})).filter(p=>p.id==1)',
    'Notes.update(p=>({text: replace(s, "x", "xx")})).filter(p=>p.id==1)',
    'Notes.update({id: one, text: "" + s + s})',
    'Notes.upsert({id: one, text: concat(s, s)})',
    'Notes.insert({id: two, text: "" + s + s})',
  ])('is stored, or refused: %s', async (query) => {
    await stage().ask('Notes.deleteAll()');
    await stage().ask('Notes.insert()', { id: 1, text: 'before' });
    const data = { s: 'x'.repeat(LETTERS), one: 1, two: 2 };
    const lengths = () => stage().ask('Notes.sort(p=>p.id).map(p=>length(p.text))');
    const problem = await stage().problem(query, data);
    if (stage().dialect === 'PostgreSQL') {
      expect(problem).toBeUndefined();
      expect(JSON.stringify(await lengths())).toContain(String(2 * LETTERS));
    } else {
      expect(problem).toMatchObject({ code: 'text-too-long' });
      expect(await lengths()).toEqual([{ length: 6 }]);
    }
  });
});

describeDomain('a list of long texts', entities, (stage) => {
  test('is stored, although one statement could not contain it', async () => {
    const rows = Array.from({ length: 8 }, (_, id) => ({ id, text: 'x'.repeat(3_000_000) }));
    await stage().ask('Notes.bulkInsert()', [...rows, { id: 8, text: 'y' }]);
    expect(await stage().ask('Notes.map(p=>({n: count(), m: sum(length(p.text))}))')).toEqual([
      { n: 9, m: 24_000_001 },
    ]);
  });
});
