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
  {
    name: 'Spans',
    primaryKey: ['id'],
    properties: [
      id,
      { name: 'name', required: true },
      { name: 'low', type: 'integer', default: 1 },
      { name: 'high', type: 'integer', default: 2 },
      { name: 'itemId', type: 'integer' },
      { name: 'top', type: 'integer', default: 'itemId * 3' },
    ],
    relations: [{ name: 'item', entity: 'Items', from: 'itemId', to: 'id', target: 'spans' }],
    constraints: [
      { message: 'it is above', condition: 'low < high' },
      { message: 'it is below', condition: 'low < top' },
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

  test('is not checked over defaults that an upsert does not store', async () => {
    const span = { id: 1, name: 'a', low: 10, high: 20, top: 30 };
    await stage().ask('Items.insert().include(p=>p.spans)', { id: 9, spans: [span] });
    await stage().ask('Spans.upsert()', { id: 1, low: 12 });
    const spans = [{ id: 1, low: 13 }];
    await stage().ask('Items.update().include(p=>p.spans)', { id: 9, spans });
    expect(await stage().ask('Spans.map(p=>p.low)')).toEqual([{ low: 13 }]);
    const problem = await stage().problem('Spans.upsert()', { id: 1, name: 'a', low: 14 });
    expect(problem?.code).toBe('constraint-unmet');
    await stage().ask('Items.delete().include(p=>p.spans)', { id: 9 });
  });

  test('that such a key meets lets the rows pass', async () => {
    const data = { id: 6, parts: [{ number: 5 }], main: { id: 5 } };
    await stage().ask('Items.insert().include(p=>[p.parts, p.main])', data);
    expect(await stage().ask('Items')).toEqual([{ id: 6, mainId: 5 }]);
  });
});
