/** Grouped rows of an include: by a key of several properties, by equal texts, and by numbers; also limited for each parent. */
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

const places = [
  {
    name: 'Halls',
    primaryKey: ['hall', 'letter'],
    properties: [
      { name: 'hall', required: true },
      { name: 'letter', required: true },
    ],
  },
  {
    name: 'Seats',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'hall' },
      { name: 'letter' },
      { name: 'kind' },
    ],
    relations: [
      {
        ...{ name: 'place', from: ['hall', 'letter'], entity: 'Halls', to: ['hall', 'letter'] },
        ...{ target: 'seats', weak: true },
      },
    ],
  },
];

describeDomain('groups of an include by texts that the database equates', places, (stage) => {
  beforeAll(async () => {
    const { ask, dialect, sql } = stage();
    const isPostgresql = dialect === 'PostgreSQL';
    const options = `provider = icu, locale = 'und-u-ks-level2', deterministic = false`;
    if (isPostgresql) await sql(`CREATE COLLATION same (${options})`);
    const change = isPostgresql ? 'ALTER letter TYPE' : 'MODIFY letter';
    const type = `varchar(9) COLLATE ${isPostgresql ? 'same' : 'utf8mb4_general_ci'}`;
    for (const table of ['Halls', 'Seats']) await sql(`ALTER TABLE ${table} ${change} ${type}`);
    await ask('Halls.bulkInsert()', [
      { hall: 'x', letter: 'a' },
      { hall: 'X', letter: 'a' },
    ]);
    const seats = ['xa box', 'xA box', 'xA bar', 'XA box'];
    const rows = seats.map(([hall, letter, , ...kind], id) => {
      return { id, hall, letter, kind: kind.join('') };
    });
    await ask('Seats.bulkInsert()', rows);
  });

  const grouped = 'map(s=>({kind: s.kind, n: count()}))';

  test.each([
    [
      `${grouped}.sort(s=>desc(s.n))`,
      [
        { kind: 'box', n: 2 },
        { kind: 'bar', n: 1 },
      ],
    ],
    [`${grouped}.sort(s=>desc(s.n)).first()`, [{ kind: 'box', n: 2 }]],
    ['map(s=>({n: count()}))', [{ n: 3 }]],
    ['map(s=>({kind: title(max(s.kind))})).first()', [{ kind: 'Box' }]],
  ])('%s has one group for them', async (rest, expected) => {
    const query = `Halls.filter(p=>p.hall=="x").map(p=>p.hall).include(p=>p.seats.${rest})`;
    expect(await stage().ask(query)).toEqual([{ hall: 'x', seats: expected }]);
  });
});

const measured = [
  {
    name: 'Points',
    primaryKey: ['x'],
    properties: [{ name: 'x', type: 'number', required: true }],
  },
  {
    name: 'Marks',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'x', type: 'number' },
      { name: 'kind' },
    ],
    relations: [
      { name: 'point', from: 'x', entity: 'Points', to: 'x', target: 'marks', weak: true },
    ],
  },
];

describeDomain('groups of an include by a number', measured, (stage) => {
  beforeAll(async () => {
    await stage().ask('Points.bulkInsert()', [{ x: 0.1 }, { x: 2 }]);
    const marks = [0.1, 0.1, 2].map((x, id) => ({ id, x, kind: `kind ${id}` }));
    await stage().ask('Marks.bulkInsert()', marks);
  });

  test.each([
    ['map(m=>({n: count()})).first()', [{ n: 2 }], [{ n: 1 }]],
    [
      'map(m=>({kind: m.kind, n: count()})).sort(m=>desc(m.kind)).take(1)',
      [{ kind: 'kind 1', n: 1 }],
      [{ kind: 'kind 2', n: 1 }],
    ],
    ['map(m=>({kind: title(max(m.kind))})).first()', [{ kind: 'Kind 1' }], [{ kind: 'Kind 2' }]],
  ])('%s is limited for each parent', async (rest, first, second) => {
    const query = `Points.map(p=>p.x).sort(p=>p.x).include(p=>p.marks.${rest})`;
    expect(await stage().ask(query)).toEqual([
      { x: 0.1, marks: first },
      { x: 2, marks: second },
    ]);
  });
});
