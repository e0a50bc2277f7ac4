/** A write whose answer cannot be computed from the stored rows (`readValue`) stores nothing. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'People',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'email', length: 200, readValue: 'decrypt(email, "key")' },
    ],
  },
  {
    name: 'Groups',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }],
  },
  {
    name: 'Groups.people',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'groupId', type: 'integer' },
      { name: 'email', length: 200, readValue: 'decrypt(email, "key")' },
    ],
    relations: [{ name: 'group', from: 'groupId', entity: 'Groups', to: 'id', target: 'people' }],
  },
];

describeDomain('a write with an unreadable answer', entities, (stage) => {
  test('stores nothing', async () => {
    const data = { id: 1, email: 'plain' };
    for (const query of ['People.insert()', 'People.upsert()'])
      expect(await stage().problem(query, data)).toMatchObject({ code: 'value-unreadable' });
    expect(await stage().problem('People.bulkInsert()', [{ id: 2 }, data])).toMatchObject({
      code: 'value-unreadable',
    });
    expect(await stage().ask('People.map(p=>p.id)')).toEqual([]);
    expect(await stage().ask('People.insert()', { id: 3 })).toEqual({ id: 3, email: null });
  });

  test('stores no parents of the row', async () => {
    const data = { id: 1, people: [{ id: 1, email: 'plain' }] };
    expect(await stage().problem('Groups.insert().include(p=>p.people)', data)).toMatchObject({
      code: 'value-unreadable',
    });
    expect(await stage().ask('Groups')).toEqual([]);
  });
});
