/**
 * Defaults and written values that are templates or expressions are evaluated, never stored as text.
 */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Makers',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', autoIncrement: true },
      { name: 'name' },
      { name: 'template', default: '`${name}-${upper(name)}!`' },
      { name: 'plain', default: '`as it is`' },
      { name: 'joined', default: 'name + "/" + word' },
      { name: 'chosen', default: 'name == "a" ? "first" : "other"' },
      { name: 'called', default: 'upper(name)' },
      { name: 'word', default: 'in-progress' },
      { name: 'quoted', default: '"q"' },
      { name: 'brackets', default: '(none)' },
      { name: 'count', type: 'integer', default: 'length(name) + 1' },
      { name: 'written', writeValue: '`<${written}>`' },
      { name: 'read', view: true, readValue: '`[${name}]`' },
    ],
  },
  {
    name: 'Makers.parts',
    primaryKey: ['makerId', 'number'],
    properties: [
      { name: 'makerId', type: 'integer', required: true },
      { name: 'number', type: 'integer', required: true },
      { name: 'code', length: 6, default: '`${makerId}-${number}`' },
      { name: 'small', default: '`${code}.${number}`' },
      { name: 'sealed', writeValue: 'concat(toString(makerId), ":", sealed)' },
    ],
    relations: [{ name: 'maker', from: 'makerId', entity: 'Makers', to: 'id', target: 'parts' }],
    constraints: [{ message: 'No code is 9-9', condition: 'code != "9-9"' }],
  },
];

const stamps = [
  {
    name: 'Stamps',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', autoIncrement: true },
      { name: 'utc', type: 'dateTime', default: '2024-01-31T06:30:15.250Z' },
      { name: 'ahead', type: 'dateTime', default: '2024-01-31T06:30:15+02:00' },
      { name: 'local', type: 'dateTime', default: '2024-01-31 06:30:15' },
      { name: 'day', type: 'date', default: '2024-01-31T23:30:00-02:00' },
      { name: 'clock', type: 'time', default: '06:30:15.250' },
    ],
  },
];

const figures = [
  {
    name: 'Figures',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', autoIncrement: true },
      { name: 'views', type: 'bigint', default: '3**39' },
      { name: 'rate', type: 'decimal' },
      { name: 'weight', type: 'number' },
      { name: 'third', type: 'number', default: 'weight/3' },
    ],
  },
];

describeDomain('figures that Rowgate computes', figures, (stage) => {
  test('powers with whole exponents, and roots, have all their digits', async () => {
    const given = await stage().text('Figures.insert({views: 7**22, rate: 1.1**10})', {});
    const stored = await stage().text('Figures.filter(p=>p.id==1)', {});
    expect(given + stored).toContain('3909821048582988049');
    expect(stored).toContain('"rate":2.5937424601,');
    expect(await stage().text('Figures.insert({rate: 125//3})', {})).toContain('"rate":5');
    const views = await stage().text('Figures.filter(p=>p.rate==5).map(p=>p.views)', {});
    expect(views).toContain('4052555153018976267');
  });

  test('the quotient of a tiny number is not zero', async () => {
    const data = { weight: 1e-22 };
    await stage().ask('Figures.insert({weight: weight})', data);
    const query = 'Figures.filter(p=>p.weight==weight).map(p=>p.third)';
    expect(await stage().ask(query, data)).toEqual([{ third: 1e-22 / 3 }]);
  });
});

describeDomain('moments as defaults', stamps, (stage) => {
  test('are part of the created tables, and of the rows', async () => {
    expect(await stage().ask('Stamps.insert()', {})).toEqual({
      id: 1,
      utc: '2024-01-31T06:30:15.250Z',
      ahead: '2024-01-31T04:30:15.000Z',
      local: '2024-01-31T06:30:15.000Z',
      day: '2024-02-01T00:00:00.000Z',
      clock: '06:30:15.250',
    });
  });
});

const texts = [
  {
    name: 'Texts',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'at', type: 'dateTime' },
      { name: 'day', type: 'date' },
      { name: 'clock', type: 'time' },
      { name: 'text' },
      { name: 'label', default: 'concat("D-", at, "/", day, "/", clock)' },
      { name: 'kept', writeValue: 'kept + toString(clock) + upper("ß")' },
      { name: 'read', view: true, readValue: 'concat(at, "/", day, "/", clock)' },
    ],
  },
];

describeDomain('a moment as a text', texts, (stage) => {
  test('is written as by a query', async () => {
    const data = {
      id: 1,
      t: '2024-02-29T00:30:00.123456Z',
      y: '2024-02-29',
      c: '10:00',
      kept: '@',
    };
    const insert =
      'Texts.insert({id: id, at: t, day: y, clock: c, kept: kept, text: t + "/" + y + "/" + c})';
    const text = '2024-02-29T00:30:00.123Z/2024-02-29T00:00:00.000Z/10:00:00';
    expect(await stage().ask(insert, data)).toMatchObject({
      text,
      label: `D-${text}`,
      kept: '@10:00:00ß',
    });
    const read =
      'Texts.map(p=>({read: p.read, text: p.text, same: p.at + "/" + p.day + "/" + p.clock, kept: "@" + p.clock + upper("ß")}))';
    expect(await stage().ask(read)).toEqual([{ read: text, text, same: text, kept: '@10:00:00ß' }]);
  });
});

const visits = [
  {
    name: 'Visits',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', autoIncrement: true },
      { name: 'from', type: 'time' },
      { name: 'hour', type: 'integer' },
      { name: 'minute', type: 'integer', view: true, readValue: 'minute(from)' },
    ],
    constraints: [{ message: 'Closed before 8', condition: 'from == null || hour(from) >= 8' }],
  },
];

describeDomain('a time', visits, (stage) => {
  test('has its parts in constraints and values', async () => {
    expect(await stage().problem('Visits.insert()', { from: '07:30' })).toMatchObject({
      code: 'constraint-unmet',
    });
    await stage().ask('Visits.insert({from: at, hour: hour("10:45")})', { at: '08:15' });
    expect(await stage().ask('Visits.map(p=>[p.hour, p.minute])')).toEqual([
      { hour: 10, minute: 15 },
    ]);
  });
});

const shelves = [
  {
    name: 'Shelves',
    primaryKey: ['id'],
    properties: [{ name: 'id', type: 'integer', required: true }, { name: 'name' }],
  },
  {
    name: 'Shelves.books',
    primaryKey: ['shelfId', 'number'],
    properties: [
      { name: 'shelfId', type: 'integer', required: true },
      { name: 'number', type: 'integer', required: true },
      { name: 'label', required: true, default: 'shelfId > 100 ? null : "low"' },
      { name: 'note' },
    ],
    relations: [{ name: 'shelf', from: 'shelfId', entity: 'Shelves', to: 'id', target: 'books' }],
    constraints: [{ message: 'The label is known', condition: 'nvl(label, "") != ""' }],
  },
];

describeDomain('a required default that can be null', shelves, (stage) => {
  const query = 'Shelves.upsert().include(p=>p.books)';

  test('leaves the stored value of an existing row', async () => {
    const books = [{ number: 1, label: 'own' }, { number: 2 }];
    await stage().ask(query, { id: 101, name: 'a', books: books.slice(0, 1) });
    await stage().ask(query, { id: 101, books: [{ number: 1, note: 'n' }] });
    expect(await stage().ask('Shelves.books')).toEqual([
      { shelfId: 101, number: 1, label: 'own', note: 'n' },
    ]);
    expect(await stage().problem(query, { id: 101, books: books.slice(1) })).toMatchObject({
      code: 'constraint-unmet',
    });
  });
});

const prices = [
  {
    name: 'Prices',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', autoIncrement: true },
      { name: 'unit', default: 'kg' },
      { name: 'text', writeValue: 'text + " a " + unit' },
      { name: 'grade', default: 'A', writeValue: 'grade + nvl(note, "-")' },
      { name: 'note' },
    ],
  },
];

describeDomain('an upsert of values that are computed from others', prices, (stage) => {
  const upsert = (data: object) => stage().ask('Prices.upsert()', data);

  test('must set those of a row that may exist, for which a default is not enough', async () => {
    await upsert({ id: 1, unit: 'ton', text: '5', note: 'n' });
    expect(await stage().problem('Prices.upsert()', { id: 1, text: '6' })).toMatchObject({
      code: 'parameter-missing',
      place: 'data.unit',
    });
    expect(await stage().problem('Prices.upsert()', { id: 1, grade: 'B' })).toMatchObject({
      code: 'parameter-missing',
      place: 'data.note',
    });
    await upsert({ id: 1, text: '7', unit: 'g' });
    expect(await stage().ask('Prices.filter(p=>p.id==1)')).toEqual([
      { id: 1, unit: 'g', text: '7 a g', grade: 'An', note: 'n' },
    ]);
  });

  test('uses defaults, and null, in a new row', async () => {
    expect(await upsert({ text: '1' })).toMatchObject({ text: '1 a kg', grade: 'A-' });
    expect(await upsert({ id: 70, note: null })).toMatchObject({ text: null, grade: 'A-' });
    expect(await upsert({ id: 71 })).toMatchObject({ unit: 'kg', grade: 'A-' });
  });
});

describeDomain('values that the schema computes', entities, (stage) => {
  test('are those of the row', async () => {
    const row = await stage().ask('Makers.insert()', { id: 1, name: 'a', written: 'w' });
    expect(row).toEqual({
      id: 1,
      name: 'a',
      template: 'a-A!',
      plain: 'as it is',
      joined: 'a/in-progress',
      chosen: 'first',
      called: 'A',
      word: 'in-progress',
      quoted: 'q',
      brackets: '(none)',
      count: 2,
      written: '<w>',
      read: '[a]',
    });
    expect(await stage().ask('Makers.filter(p=>p.id==1)')).toEqual([row]);
  });

  test('can read the key of the parent that is stored with them', async () => {
    const parts = [
      { number: 1, sealed: 's' },
      { number: 2, code: 'own' },
    ];
    const data = { id: 7, name: 'b', parts };
    const expected = [
      { makerId: 7, number: 1, code: '7-1', small: '7-1.1', sealed: '7:s' },
      { makerId: 7, number: 2, code: 'own', small: 'own.2', sealed: null },
    ];
    expect(await stage().ask('Makers.insert().include(p=>p.parts)', data)).toMatchObject({
      parts: expected,
    });
    expect(await stage().ask('Makers.parts.filter(p=>p.makerId==7)')).toEqual(expected);
  });

  test('can read a key that the database generates', async () => {
    const data = { number: 3, sealed: 's', maker: { name: 'c' } };
    const stored = await stage().ask('Makers.parts.insert().include(p=>p.maker)', data);
    const { makerId } = keyOf(stored);
    expect(stored).toMatchObject({
      code: `${makerId}-3`,
      small: `${makerId}-3.3`,
      sealed: `${makerId}:s`,
    });
  });

  test('are evaluated in an upsert of new rows, and in bulk writes', async () => {
    const parts = [{ number: 1 }, { number: 2, sealed: 'x' }];
    const data = [{ id: 21, name: 'd', parts }];
    await stage().ask('Makers.bulkUpsert().include(p=>p.parts)', data);
    expect(await stage().ask('Makers.parts.filter(p=>p.makerId==21)')).toMatchObject([
      { code: '21-1', sealed: null },
      { code: '21-2', sealed: '21:x' },
    ]);
  });

  test('are checked, and nothing is stored if they break a constraint', async () => {
    const insert = (id: number, number: number) =>
      stage().problem('Makers.insert().include(p=>p.parts)', {
        id,
        name: 'e',
        parts: [{ number }],
      });
    expect(await insert(31, 12_345)).toMatchObject({
      code: 'constraint-unmet',
      place: 'data.parts[0].code',
    });
    expect(await insert(9, 9)).toMatchObject({
      code: 'constraint-unmet',
      detail: 'No code is 9-9.',
    });
    expect(await stage().ask('Makers.filter(p=>in(p.id, [9, 31]))')).toEqual([]);
  });
});

function keyOf(row: unknown): { readonly makerId: number } {
  const makerId: unknown = typeof row === 'object' && row !== null && Reflect.get(row, 'makerId');
  if (typeof makerId === 'number') return { makerId };
  throw new Error('a stored row has the key of its maker');
}
