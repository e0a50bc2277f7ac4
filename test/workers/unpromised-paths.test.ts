/** A query does not lose rows if its path may lead to no row. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Makers',
    primaryKey: ['code'],
    properties: [
      { name: 'code', type: 'integer', required: true },
      { name: 'name', required: true },
    ],
  },
  {
    name: 'Passes',
    primaryKey: ['id'],
    uniqueKey: ['makerId'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'makerId', type: 'integer', required: true },
      { name: 'text' },
    ],
    relations: [
      {
        name: 'maker',
        type: 'oneToOne',
        from: 'makerId',
        entity: 'Makers',
        to: 'code',
        target: 'pass',
      },
    ],
  },
  {
    name: 'Visits',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'makerId', type: 'integer', required: true },
    ],
    relations: [{ name: 'maker', from: 'makerId', entity: 'Makers', to: 'code', weak: true }],
  },
  {
    name: 'Heads',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }, { name: 'name' }],
    relations: [{ name: 'tail', type: 'oneToOne', from: 'id', entity: 'Tails', to: 'headId' }],
  },
  {
    name: 'Tails',
    primaryKey: ['headId'],
    properties: [{ name: 'headId', type: 'integer', required: true }, { name: 'name' }],
    relations: [{ name: 'head', type: 'oneToOne', from: 'headId', entity: 'Heads', to: 'id' }],
  },
];

describeDomain('paths to rows that may be absent', entities, (stage) => {
  beforeAll(async () => {
    const { ask } = stage();
    await ask('Makers.bulkInsert()', [
      { code: 1, name: 'a' },
      { code: 2, name: 'b' },
    ]);
    await ask('Passes.insert()', { id: 5, makerId: 1, text: 'p' });
    await ask('Visits.bulkInsert()', [
      { id: 1, makerId: 1 },
      { id: 2, makerId: 99 },
    ]);
    await ask('Heads.bulkInsert()', [
      { id: 1, name: 'h' },
      { id: 2, name: 'i' },
    ]);
    await ask('Tails.insert()', { headId: 1, name: 't' });
  });

  test.each([
    [
      'Makers.map(p=>({c: p.code, x: p.pass.text}))',
      [
        { c: 1, x: 'p' },
        { c: 2, x: null },
      ],
    ],
    ['Makers.filter(p=>p.pass.text==null).map(p=>({c: p.code}))', [{ c: 2 }]],
    ['Makers.sort(p=>p.pass.text).map(p=>({c: p.code}))', [{ c: 1 }, { c: 2 }]],
    ['Makers.filter(p=>p.pass.maker.name==null).map(p=>({c: p.code}))', [{ c: 2 }]],
    [
      'Visits.map(p=>({i: p.id, x: p.maker.name}))',
      [
        { i: 1, x: 'a' },
        { i: 2, x: null },
      ],
    ],
    ['Visits.sort(p=>p.maker.name).map(p=>({i: p.id}))', [{ i: 1 }, { i: 2 }]],
    ['Heads.map(p=>({i: p.id, x: p.tail.name})).filter(p=>p.id==2)', [{ i: 2, x: null }]],
    ['Passes.map(p=>({x: p.maker.name}))', [{ x: 'a' }]],
  ])('%s', async (query, rows) => {
    expect(
      await stage().ask(query.includes('sort') ? query : `${query}.sort(p=>p.${keyOf(query)})`),
    ).toEqual(rows);
  });
});

function keyOf(query: string): string {
  return query.startsWith('Makers') ? 'code' : 'id';
}
