/** Updates under a view whose condition reads a column that the database computes. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Wares',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'price', type: 'integer' },
      { name: 'shown', type: 'boolean', readOnly: true },
    ],
  },
  {
    name: 'Notes',
    properties: [
      { name: 'text', length: 9 },
      { name: 'deleted', type: 'boolean', readOnly: true },
    ],
  },
];
const restricted = [
  { name: 'Wares', readExp: 'shown == true' },
  { name: 'Notes', readExp: 'deleted == false' },
];

describeDomain(
  'an update under a condition on a generated column',
  entities,
  (stage) => {
    beforeAll(async () => {
      await stage().sql('ALTER TABLE Wares DROP COLUMN shown');
      const column = 'shown boolean GENERATED ALWAYS AS (price < 100) STORED';
      await stage().sql(`ALTER TABLE Wares ADD COLUMN ${column}`);
      await stage().ask('Wares.insert()', { id: 1, price: 5 });
    });

    test('needs a key on MariaDB, where the updated rows must be found', async () => {
      await stage().sql("INSERT INTO Notes (text, deleted) VALUES ('a', false)");
      const update = 'Notes.update({text: "b"}).filter(p=>p.text=="a")';
      if (stage().dialect === 'PostgreSQL') expect(await stage().ask(update)).toBe(1);
      else expect((await stage().problem(update))?.code).toBe('unsupported');
    });

    test('by a filter leaves no row outside the view', async () => {
      const problem = await stage().problem('Wares.update({price: 500}).filter(p=>p.id==1)');
      expect(problem?.code).toBe('row-outside-view');
      expect(await stage().ask('Wares.update({price: 50}).filter(p=>p.id==1)')).toBe(1);
    });
  },
  restricted,
);
