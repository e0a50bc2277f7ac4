/** Deletes with included rows of entities whose keys have two parts, on each database. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const number = (name: string, required = false) => ({ name, type: 'integer', required });
const entities = [
  {
    name: 'Nodes',
    primaryKey: ['a', 'b'],
    properties: [number('a', true), number('b', true), number('bossA'), number('bossB')],
    relations: [{ name: 'boss', from: ['bossB', 'bossA'], entity: 'Nodes', to: ['b', 'a'] }],
  },
  {
    name: 'Nodes.notes',
    primaryKey: ['id'],
    properties: [number('id', true), number('a'), number('b')],
    relations: [
      { name: 'node', from: ['a', 'b'], entity: 'Nodes', to: ['a', 'b'], target: 'notes' },
    ],
  },
];
/** More than a statement has keys. */
const MANY = 33_000;
const remove = 'Nodes.filter(p=>exists(p.notes)).delete().include(p=>p.notes)';

describeDomain('nodes with notes', entities, (stage) => {
  const fill = async (boss: object) => {
    const nodes = [
      { a: 1, b: 2 },
      { a: 2, b: 1, ...boss },
      { a: 1, b: 1 },
    ];
    const notes = [
      { id: 1, a: 1, b: 2 },
      { id: 2, a: 1, b: 2 },
      { id: 3, a: 2, b: 1 },
    ];
    await stage().ask('Nodes.notes.deleteAll()');
    await stage().ask('Nodes.deleteAll()');
    await stage().ask('Nodes.bulkInsert()', nodes);
    await stage().ask('Nodes.notes.bulkInsert()', notes);
  };

  test('are deleted with them, and others are not', async () => {
    await fill({});
    expect(await stage().ask(remove)).toBe(2);
    expect(await stage().ask('Nodes.map(p=>[p.a, p.b])')).toEqual([{ a: 1, b: 1 }]);
    expect(await stage().ask('Nodes.notes')).toEqual([]);
  });

  test('are deleted with them, however many there are', async () => {
    await fill({});
    const nodes = Array.from({ length: MANY }, (_, n) => ({ a: n + 10, b: n }));
    const notes = nodes.map(({ a, b }) => ({ id: a, a, b }));
    await stage().ask('Nodes.bulkInsert()', nodes);
    await stage().ask('Nodes.notes.bulkInsert()', notes);
    expect(await stage().ask(remove)).toBe(MANY + 2);
    expect(await stage().ask('Nodes.map(p=>[p.a, p.b])')).toEqual([{ a: 1, b: 1 }]);
    expect(await stage().ask('Nodes.notes')).toEqual([]);
  });

  test('are deleted together if they refer to each other, unless the database checks each row', async () => {
    await fill({ bossA: 1, bossB: 2 });
    if (stage().dialect === 'PostgreSQL') expect(await stage().ask(remove)).toBe(2);
    else expect(await stage().problem(remove)).toMatchObject({ code: 'foreign-key-violation' });
  });
});
