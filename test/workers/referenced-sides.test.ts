/** A filter of a view on rows that refer to a row does not prevent that row from being inserted. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const id = { name: 'id', type: 'integer', required: true };
const name = { name: 'name' };

const entities = [
  {
    name: 'Heads',
    primaryKey: ['id'],
    properties: [id, name],
    relations: [{ name: 'tail', type: 'oneToOne', from: 'id', entity: 'Tails', to: 'headId' }],
  },
  {
    name: 'Tails',
    primaryKey: ['headId'],
    properties: [{ ...id, name: 'headId' }, name],
    relations: [{ name: 'head', type: 'oneToOne', from: 'headId', entity: 'Heads', to: 'id' }],
  },
  {
    name: 'Users',
    primaryKey: ['id'],
    properties: [id, name],
    relations: [
      { name: 'profile', type: 'oneToOne', from: 'id', entity: 'Profiles', to: 'userId' },
    ],
  },
  {
    name: 'Profiles',
    primaryKey: ['id'],
    uniqueKey: ['userId'],
    properties: [id, { ...id, name: 'userId' }, name],
  },
];

const view = ['Tails', 'Heads', 'Profiles'].map((entity) => ({
  name: entity,
  readExp: 'name != "x"',
}));

describeDomain(
  'the referenced side of a one-to-one relation',
  entities,
  (stage) => {
    test.each(['Heads', 'Users'])('%s can be inserted', async (entity) => {
      await stage().ask(`${entity}.insert()`, { id: 5, name: 'n' });
      expect(await stage().ask(`${entity}.map(p=>p.id)`)).toEqual([{ id: 5 }]);
    });

    test('can be inserted with the row that refers to it', async () => {
      const head = { id: 6, name: 'n', tail: { name: 't' } };
      await stage().ask('Heads.insert().include(p=>p.tail)', head);
      const query = 'Tails.filter(p=>p.headId==6).map(p=>({name: p.name, head: p.head.name}))';
      expect(await stage().ask(query)).toEqual([{ name: 't', head: 'n' }]);
    });

    test('a reference to a hidden row is refused', async () => {
      await stage().sql("INSERT INTO Heads (id, name) VALUES (9, 'x')");
      const problem = await stage().problem('Tails.insert()', { headId: 9, name: 't' });
      expect(problem?.code).toBe('foreign-key-violation');
    });
  },
  view,
);
