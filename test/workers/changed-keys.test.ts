/** Updates by a filter that assign the key by which the database finds the rows afterwards. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const id = { name: 'id', type: 'integer', required: true };
const entities = [
  {
    name: 'Slots',
    primaryKey: ['at'],
    properties: [
      { name: 'at', type: 'dateTime', required: true },
      { name: 'tenant', type: 'integer' },
    ],
  },
  {
    name: 'Makers',
    primaryKey: ['id'],
    uniqueKey: ['code'],
    properties: [id, { name: 'code', type: 'string', writeValue: 'concat("C-",code)' }],
    relations: [{ name: 'items', type: 'manyToOne', entity: 'Items', from: 'code', to: 'maker' }],
  },
  {
    name: 'Items',
    primaryKey: ['id'],
    properties: [id, { name: 'maker', type: 'string' }],
    relations: [{ name: 'made', type: 'oneToMany', entity: 'Makers', from: 'maker', to: 'code' }],
  },
  {
    name: 'Sizes',
    primaryKey: ['id'],
    properties: [id, { name: 'size', type: 'decimal' }],
  },
  {
    name: 'Boxes',
    primaryKey: ['id'],
    properties: [id, { name: 'size', type: 'decimal' }],
    relations: [
      { name: 'of', from: 'size', entity: 'Sizes', to: 'size', target: 'boxes', weak: true },
    ],
  },
  {
    name: 'Levels',
    primaryKey: ['level'],
    properties: [{ name: 'level', type: 'decimal', required: true }],
  },
  {
    name: 'Marks',
    primaryKey: ['id'],
    properties: [id, { name: 'level', type: 'decimal' }],
    relations: [
      { name: 'of', from: 'level', entity: 'Levels', to: 'level', target: 'marks', weak: true },
    ],
  },
];
const restricted = [{ name: 'Slots', readExp: 'tenant == 1' }];

describeDomain(
  'an update that assigns a key',
  entities,
  (stage) => {
    beforeAll(async () => {
      if (stage().dialect !== 'MariaDB') {
        await stage().sql('ALTER TABLE Sizes ALTER size TYPE numeric(5, 1)');
        for (const table of ['Levels', 'Marks'])
          await stage().sql(`ALTER TABLE ${table} ALTER level TYPE numeric(5, 1)`);
        return;
      }
      await stage().sql('ALTER TABLE Slots MODIFY at DATETIME(0) NOT NULL');
      await stage().sql('ALTER TABLE Sizes MODIFY size DECIMAL(5, 1)');
      await stage().sql('ALTER TABLE Levels MODIFY level DECIMAL(5, 1) NOT NULL');
      await stage().sql('ALTER TABLE Marks MODIFY level DECIMAL(5, 1)');
    });

    test('leaves no row outside the view, however the column stores the key', async () => {
      const old = '2026-03-01T10:00:00.000Z';
      await stage().ask('Slots.insert()', { at: old, tenant: 1 });
      const update = 'Slots.update({at: at, tenant: tenant}).filter(p=>p.at==old)';
      const data = { old, at: '2026-03-01T11:00:00.600Z', tenant: 2 };
      const code = stage().dialect === 'MariaDB' ? 'refused-by-database' : 'row-outside-view';
      expect((await stage().problem(update, data))?.code).toBe(code);
      expect(await stage().ask('Slots.map(p=>({tenant: p.tenant}))')).toEqual([{ tenant: 1 }]);
    });

    test('gives its included rows the key that its writeValue returns', async () => {
      await stage().ask('Makers.insert()', { id: 1, code: 'a' });
      const update = 'Makers.update({code: o.code}).filter(p=>p.id==1).include(p=>p.items)';
      await stage().ask(update, { o: { code: 'b', items: [{ id: 1 }] } });
      expect(await stage().ask('Items')).toEqual([{ id: 1, maker: 'C-b' }]);
    });

    test('gives its included rows the key as its column stores it', async () => {
      await stage().ask('Sizes.insert()', { id: 1, size: 2 });
      const update = 'Sizes.update({size: o.size}).filter(p=>p.id==1).include(p=>p.boxes)';
      await stage().ask(update, { o: { size: 1.26, boxes: [{ id: 1 }] } });
      expect(await stage().ask('Boxes')).toEqual([{ id: 1, size: 1.3 }]);
    });

    test('gives its included rows the primary key, whose column and theirs round alike', async () => {
      await stage().ask('Levels.insert()', { level: 2 });
      const update = 'Levels.update({level: o.level}).filter(p=>p.level==2).include(p=>p.marks)';
      expect(await stage().ask(update, { o: { level: 1.26, marks: [{ id: 1 }] } })).toBe(1);
      expect(await stage().ask('Marks')).toEqual([{ id: 1, level: 1.3 }]);
    });
  },
  restricted,
);
