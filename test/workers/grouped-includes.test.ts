/** Grouped rows of an include by a key of several properties, limited for each parent. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Shelves',
    primaryKey: ['room', 'letter'],
    properties: [
      { name: 'room', type: 'integer', required: true },
      { name: 'letter', required: true },
    ],
  },
  {
    name: 'Books',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'room', type: 'integer' },
      { name: 'letter' },
      { name: 'subject' },
    ],
    relations: [
      {
        name: 'shelf',
        from: ['room', 'letter'],
        entity: 'Shelves',
        to: ['room', 'letter'],
        target: 'books',
      },
    ],
  },
];

const books = [
  { id: 1, room: 1, letter: 'a', subject: 'art' },
  { id: 2, room: 1, letter: 'a', subject: 'law' },
  { id: 3, room: 1, letter: 'a', subject: 'law' },
  { id: 4, room: 2, letter: 'a', subject: 'art' },
];

describeDomain('groups of an include by two properties', entities, (stage) => {
  beforeAll(async () => {
    for (const room of [1, 2]) await stage().ask('Shelves.insert()', { room, letter: 'a' });
    await stage().ask('Books.bulkInsert()', books);
  });

  const law = { subject: 'law', n: 2 };
  const art = { subject: 'art', n: 1 };
  const grouped = 'map(b=>({subject: b.subject, n: count()}))';

  test.each([
    [`${grouped}.sort(b=>desc(b.n)).first()`, [law], [art]],
    [`${grouped}.sort(b=>desc(b.n)).take(1)`, [law], [art]],
    [`${grouped}.sort(b=>b.subject).page(2, 1)`, [law], []],
    [`${grouped}.sort(b=>b.subject).page(1, 2)`, [art, law], [art]],
    ['map(b=>({n: count()})).first()', [{ n: 3 }], [{ n: 1 }]],
  ])('%s is limited for each parent', async (rest, first, second) => {
    const query = `Shelves.map(p=>p.room).sort(p=>p.room).include(p=>p.books.${rest})`;
    expect(await stage().ask(query)).toEqual([
      { room: 1, books: first },
      { room: 2, books: second },
    ]);
  });
});
