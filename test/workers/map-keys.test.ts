/**
 * The keys of a map may be any strings: the answer has them unchanged, whatever column names the
 * database allows.
 */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Items',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'parentId', type: 'integer' },
    ],
    relations: [{ name: 'parent', from: 'parentId', entity: 'Items', to: 'id', target: 'items' }],
  },
];

const long = 'k'.repeat(64);

describeDomain('keys of a map', entities, (stage) => {
  beforeAll(async () => {
    await stage().ask('Items.bulkInsert()', [{ id: 1 }, { id: 2, parentId: 1 }]);
  });

  test.each([
    [
      'Items.distinct(p=>({a: p.id, A: p.id+1})).sort(p=>desc(p.A))',
      '[{"a":2,"A":3},{"a":1,"A":2}]',
    ],
    ['Items.distinct(p=>({a: p.id%1, A: p.id*0})).count()', '[{"count":1}]'],
    ['Items.map(p=>({a: p.id, A: p.id})).count()', '[{"count":2}]'],
    ['Items.map(p=>({a: p.id, A: p.id})).page(1, 1).count()', '[{"count":1}]'],
    ['Items.map(p=>({"😀": p.id})).sort(p=>p.id)', '[{"😀":1},{"😀":2}]'],
    ['Items.map(p=>({"😀": p.id, "😁": p.id+1})).page(1, 1)', '[{"😀":1,"😁":2}]'],
    ['Items.distinct(p=>({"a`b\\"c": p.id, "?": 1, " ": 2})).count()', '[{"count":2}]'],
    ['Items.map(p=>({"é": p.id%1, "n n": count(1)})).having(p=>count(1)>1)', '[{"é":0,"n n":2}]'],
    [
      'Items.map(p=>({c0: p.id, "c 0": p.id+1, C0: p.id+2})).page(1, 1)',
      '[{"c0":1,"c 0":2,"C0":3}]',
    ],
    [
      `Items.distinct(p=>({${long}a: p.id, ${long}b: 3})).page(1, 1)`,
      `[{"${long}a":1,"${long}b":3}]`,
    ],
    [
      'Items.filter(p=>p.id==1).map(p=>({i: p.id})).include(p=>p.items.map(q=>({"é": q.id, x: 1, X: 2})).page(1, 2))',
      '[{"i":1,"items":[{"é":2,"x":1,"X":2}]}]',
    ],
  ])('%s', async (query, rows) => {
    expect(await stage().text(query)).toBe(rows);
  });
});
