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
  {
    name: 'Users',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }],
    relations: [
      { name: 'profile', type: 'oneToOne', from: 'id', entity: 'Profiles', to: 'userId' },
    ],
  },
  {
    name: 'Profiles',
    primaryKey: ['id'],
    uniqueKey: ['userId'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'userId', type: 'integer', required: true },
      { name: 'bio' },
    ],
  },
  {
    name: 'Places',
    primaryKey: ['x', 'y'],
    properties: [
      { name: 'x', type: 'integer', required: true },
      { name: 'y', type: 'integer', required: true },
    ],
    relations: [
      { name: 'sign', type: 'oneToOne', from: ['x', 'y'], entity: 'Signs', to: ['a', 'b'] },
    ],
  },
  {
    name: 'Signs',
    primaryKey: ['a', 'b'],
    properties: [
      { name: 'a', type: 'integer', required: true },
      { name: 'b', type: 'integer', required: true },
      { name: 'text' },
    ],
    relations: [
      { name: 'place', type: 'oneToOne', from: ['b', 'a'], entity: 'Places', to: ['y', 'x'] },
    ],
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
    await ask('Users.bulkInsert()', [{ id: 1 }, { id: 2 }]);
    await ask('Profiles.insert()', { id: 7, userId: 1, bio: 'b' });
    await ask('Places.bulkInsert()', [
      { x: 1, y: 1 },
      { x: 1, y: 2 },
    ]);
    await ask('Signs.insert()', { a: 1, b: 1, text: 's' });
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
    [
      'Users.map(p=>({id: p.id, x: p.profile.bio}))',
      [
        { id: 1, x: 'b' },
        { id: 2, x: null },
      ],
    ],
    ['Users.filter(p=>p.profile.bio==null).map(p=>({id: p.id}))', [{ id: 2 }]],
    [
      'Places.sort(p=>p.y).map(p=>({y: p.y, x: p.sign.text}))',
      [
        { y: 1, x: 's' },
        { y: 2, x: null },
      ],
    ],
  ])('%s', async (query, rows) => {
    expect(
      await stage().ask(query.includes('sort') ? query : `${query}.sort(p=>p.${keyOf(query)})`),
    ).toEqual(rows);
  });
});

function keyOf(query: string): string {
  return query.startsWith('Makers') ? 'code' : 'id';
}
