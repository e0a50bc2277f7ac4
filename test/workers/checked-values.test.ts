/** The values over which the constraints of an entity are evaluated. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const id = { name: 'id', type: 'integer', required: true };
const entities = [
  {
    name: 'Items',
    primaryKey: ['id'],
    properties: [id, { name: 'mainId', type: 'integer' }],
    relations: [{ name: 'main', entity: 'Makers', from: 'mainId', to: 'id' }],
    constraints: [{ message: 'a main maker has another id', condition: 'id != mainId' }],
  },
  {
    name: 'Items.parts',
    primaryKey: ['number'],
    properties: [
      { name: 'number', type: 'integer', required: true },
      { name: 'itemId', type: 'integer' },
    ],
    relations: [{ name: 'item', entity: 'Items', from: 'itemId', to: 'id', target: 'parts' }],
    constraints: [{ message: 'a part has another number', condition: 'number != itemId' }],
  },
  {
    name: 'Members',
    primaryKey: ['id'],
    properties: [
      id,
      { name: 'since', type: 'date', databaseDefault: true },
      { name: 'grade', type: 'integer' },
      { name: 'twice', type: 'integer', readOnly: true },
    ],
    constraints: [
      { message: 'a member has a date', condition: 'since != null' },
      { message: 'a member has a sum', condition: 'twice != null' },
      { message: 'a member has a grade', condition: 'grade != null' },
    ],
  },
  { name: 'Makers', primaryKey: ['id'], properties: [id] },
];

describeDomain('a constraint', entities, (stage) => {
  test.each([
    ['the row that includes it', 'p.parts', { id: 5, parts: [{ number: 5 }] }],
    ['the row that it includes', 'p.main', { id: 5, main: { id: 5 } }],
  ])('is checked over the key of %s', async (_, relation, data) => {
    for (const action of ['insert', 'upsert']) {
      const problem = await stage().problem(`Items.${action}().include(p=>${relation})`, data);
      expect(problem?.code).toBe('constraint-unmet');
    }
    expect(await stage().ask('Items')).toEqual([]);
  });

  test('does not take for null what the database fills in', async () => {
    const problem = await stage().problem('Members.insert()', { id: 1 });
    expect(problem?.detail).toBe('a member has a grade.');
    await stage().ask('Members.insert()', { id: 1, grade: 2 });
    const other = await stage().problem('Members.insert()', { id: 2, grade: 2, since: null });
    expect(other?.detail).toBe('a member has a date.');
  });

  test('that such a key meets lets the rows pass', async () => {
    const data = { id: 6, parts: [{ number: 5 }], main: { id: 5 } };
    await stage().ask('Items.insert().include(p=>[p.parts, p.main])', data);
    expect(await stage().ask('Items')).toEqual([{ id: 6, mainId: 5 }]);
  });
});
