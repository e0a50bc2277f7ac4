import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { northwindSchema } from '../engine/ddl/cases.js';
import { nestedDocument, smallCounts, smallDocument } from './import-document.js';
import { openStage, schemaOf, type TestStage } from './import-stage.js';

let stage: TestStage;

describe('into the sample', () => {
  beforeEach(async () => {
    stage = await openStage(northwindSchema());
  });
  afterEach(() => stage.close());

  test('a document is stored, and its rows are counted in the order of its entities', async () => {
    expect(await stage.import(smallDocument)).toEqual(smallCounts);
    const [category] = await stage.sql('SELECT description AS text FROM Categories');
    expect(category).toEqual({ text: 'a\tb\nc\\d\r\u2028"é😀"' });
    const [order] = await stage.sql(
      'SELECT RequiredDate::text AS day FROM Orders WHERE OrderID = 10',
    );
    expect(order).toEqual({ day: '1996-07-31' });
    const [customer] = await stage.sql(
      'SELECT CompanyName AS name, ContactName AS c, Phone AS p, Address AS a FROM Customers',
    );
    expect(customer).toEqual({ name: '\\N', c: '\\.', p: '', a: null });
  });

  test('absent properties get their default, and null and false are stored', async () => {
    await stage.import({
      entities: [
        { entity: 'Suppliers', rows: [{ id: 1, name: 'S' }] },
        {
          entity: 'Products',
          rows: [
            { id: 1, name: 'a', supplierId: 1 },
            { id: 2, name: 'b', supplierId: 1, price: null, inStock: 3, discontinued: null },
          ],
        },
      ],
    });
    const rows = await stage.sql(
      'SELECT UnitPrice::text AS p, UnitsInStock::text AS s, Discontinued AS d FROM Products ORDER BY 1',
    );
    expect(rows).toEqual([
      { p: '0', s: '0', d: false },
      { p: null, s: '3', d: null },
    ]);
  });

  test('entities may come in any order', async () => {
    const entities = [...smallDocument.entities].reverse();
    await stage.import({ entities });
    const other = await openStage(northwindSchema());
    await other.import(smallDocument);
    expect(await stage.export()).toBe(await other.export());
    await other.close();
  });

  test('rows may come before the name of their entity', async () => {
    const entities = smallDocument.entities.map(({ entity, rows }) => ({ rows, entity }));
    expect(await stage.import({ entities })).toEqual(smallCounts);
  });

  test('an entity may occur twice', async () => {
    const entities = [
      { entity: 'Shippers', rows: [{ id: 1, name: 'a' }] },
      { entity: 'Categories', rows: [] },
      { entity: 'Shippers', rows: [{ id: 2, name: 'b' }] },
    ];
    expect(await stage.import({ entities })).toEqual([
      { entity: 'Shippers', rows: 2 },
      { entity: 'Categories', rows: 0 },
    ]);
  });

  test('a document may be split at any byte', async () => {
    const bytes = Buffer.from(JSON.stringify(smallDocument));
    expect(await stage.import([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(smallCounts);
    const whole = await stage.export();
    await stage.sql(
      'TRUNCATE Categories, Customers, Employees, Shippers, Suppliers, Products, Orders, "Order Details"',
    );
    for (let at = 1; at < bytes.length; at += 41) {
      expect(await stage.import([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(smallCounts);
      expect(await stage.export()).toBe(whole);
      await stage.sql(
        'TRUNCATE Categories, Customers, Employees, Shippers, Suppliers, Products, Orders, "Order Details"',
      );
    }
  });

  test('absent keys are generated after the explicit ones, and nested rows get them', async () => {
    await stage.import(nestedDocument);
    const rows = await stage.sql(`
      SELECT s.SupplierID AS s, ProductName AS p, ProductID AS id, OrderID AS o
      FROM Suppliers s LEFT JOIN Products USING (SupplierID) LEFT JOIN "Order Details" USING (ProductID)
      ORDER BY 1, 2`);
    expect(rows).toEqual([
      { s: 40, p: 'r', id: 9, o: null },
      { s: 41, p: 'p', id: 10, o: 5 },
      { s: 41, p: 'q', id: 11, o: null },
      { s: 42, p: null, id: null, o: null },
    ]);
    const next = `INSERT INTO Suppliers (CompanyName) VALUES ('next') RETURNING SupplierID AS id`;
    expect(await stage.sql(next)).toEqual([{ id: 43 }]);
  });

  test('a sequence never moves back', async () => {
    await stage.sql(`SELECT setval(pg_get_serial_sequence('shippers', 'shipperid'), 100)`);
    await stage.import({
      entities: [{ entity: 'Shippers', rows: [{ id: 5, name: 'a' }, { name: 'b' }] }],
    });
    const rows = await stage.sql('SELECT ShipperID AS id FROM Shippers ORDER BY 1');
    expect(rows).toEqual([{ id: 5 }, { id: 101 }]);
  });
});

describe('into other schemas', () => {
  afterEach(() => stage.close());

  test('tables that refer to each other are stored together', async () => {
    stage = await openStage(cyclic);
    await stage.import({
      entities: [
        { entity: 'Teams', rows: [{ id: 1, leaderId: 1 }] },
        {
          entity: 'People',
          rows: [
            { id: 1, teamId: 1, friends: [{ id: 2, teamId: 1, friends: [{ id: 3, teamId: 1 }] }] },
          ],
        },
      ],
    });
    const rows = await stage.sql('SELECT id, friendOf AS f FROM People ORDER BY 1');
    expect(rows).toEqual([
      { id: 1, f: null },
      { id: 2, f: 1 },
      { id: 3, f: 2 },
    ]);
  });

  test('a part of a part gets the key of the outermost row, however the keys are known', async () => {
    stage = await openStage(threeLevels);
    await stage.import({
      entities: [
        {
          entity: 'Books',
          rows: [
            { chapters: [{ number: 1, pages: [{ number: 1, text: 'a' }] }], title: 'made' },
            { id: 8, title: 'given', chapters: [{ number: 1, pages: [{ number: 2, text: 'b' }] }] },
          ],
        },
      ],
    });
    const rows = await stage.sql('SELECT * FROM Books_chapters_pages ORDER BY 1');
    expect(rows.map((row) => Object.values(row))).toEqual([
      [8, 2, 'b'],
      [9, 1, 'a'],
    ]);
  });

  test('rows that listeners see come after those to which their nested rows refer', async () => {
    const condition = 'entity == "Shelves"';
    const seen = { name: 'seen', on: ['insert' as const], condition, after: 'true' };
    stage = await openStage({ ...written, listeners: [seen] });
    for (const name of ['books_shelfid_fkey', 'books_authorid_fkey'])
      await stage.sql(`ALTER TABLE Books ALTER CONSTRAINT ${name} NOT DEFERRABLE`);
    await stage.import({
      entities: [
        { entity: 'Shelves', rows: [{ id: 1, books: [{ id: 2, authorId: 3 }] }] },
        { entity: 'Authors', rows: [{ id: 3 }] },
      ],
    });
    const rows = await stage.sql('SELECT shelfId, authorId FROM Books');
    expect(rows.map(Object.values)).toEqual([[1, 3]]);
  });

  test('of references in a circle, those of rows that listeners see come before those of nested rows', async () => {
    const condition = 'entity == "Shelves"';
    const seen = { name: 'seen', on: ['insert' as const], condition, after: 'true' };
    stage = await openStage({ ...circular, listeners: [seen] });
    for (const [table, name] of [
      ['Books', 'books_shelfid_fkey'],
      ['Books', 'books_authorid_fkey'],
      ['Authors', 'authors_shelfid_fkey'],
    ])
      await stage.sql(`ALTER TABLE ${table} ALTER CONSTRAINT ${name} NOT DEFERRABLE`);
    await stage.import({
      entities: [
        { entity: 'Authors', rows: [{ id: 3, shelfId: 1 }] },
        { entity: 'Shelves', rows: [{ id: 1, books: [{ id: 2 }] }] },
      ],
    });
    const rows = await stage.sql('SELECT b.shelfId, a.shelfId AS own FROM Books b, Authors a');
    expect(rows.map(Object.values)).toEqual([[1, 1]]);
  });

  test('rows without any value are stored', async () => {
    stage = await openStage(keyless);
    await stage.import({ entities: [{ entity: 'Notes', rows: [{}, { text: null }, {}] }] });
    expect(await stage.export()).toBe(
      '{"entities":[{"entity":"Notes","rows":[{"text":null},{"text":null},{"text":null}]}]}',
    );
  });

  test('values of every type are read back unchanged', async () => {
    stage = await openStage(everyType);
    const rows = `[{"id":1,"exact":12345678901234567890.12345678901234567890,"rough":1.5e-7,
      "flag":false,"moment":"2024-02-29T23:59:59.999Z","day":"-000043-03-15T00:00:00.000Z",
      "hour":"23:59:59.123","color":"red","any":"x"},
      {"id":2,"exact":-0.00001,"moment":"2024-03-01T01:30:00+05:30","day":"2024-02-28T23:30:00-01:00"}]`;
    await stage.import(`{"entities":[{"entity":"Everything","rows":${rows}}]}`);
    const text = await stage.export();
    expect(text).toContain('"exact":12345678901234567890.1234567890123456789,');
    expect(text).toContain(
      '"moment":"2024-02-29T23:59:59.999Z","day":"-000043-03-15T00:00:00.000Z"',
    );
    expect(text).toContain('"moment":"2024-02-29T20:00:00.000Z","day":"2024-02-29T00:00:00.000Z"');
    expect(text).toContain('"hour":"23:59:59.123","color":"red","any":"x","stamp":"20');
    expect(text).toContain('"hour":null,"color":"blue","any":null');
    const other = await openStage(everyType);
    await other.import(text);
    expect(await other.export()).toBe(text);
    await other.close();
  });

  test.each([
    { title: 'without listeners', listeners: [] },
    {
      title: 'with listeners',
      listeners: [{ name: 'any', on: ['insert' as const], after: 'true' }],
    },
  ])('so are infinities and the end of a day, $title', async ({ listeners }) => {
    stage = await openStage({ ...everyType, listeners });
    const row =
      '"exact":"NaN","rough":"-Infinity","flag":false,"moment":"-infinity","day":"infinity","hour":"24:00:00"';
    await stage.import(`{"entities":[{"entity":"Everything","rows":[{"id":1,${row}}]}]}`);
    expect(await stage.export()).toContain(row);
  });

  test('two sources of a stage store their parts, or neither does if one refuses', async () => {
    stage = await openStage(twoSources);
    const entities = [
      { entity: 'Books', rows: [{ id: 1, title: 't' }] },
      { entity: 'Colors', rows: [{ id: 1 }] },
    ];
    expect(await stage.import({ entities })).toHaveLength(2);
    const again = { entities: [{ entity: 'Books', rows: [{ id: 2, title: 'u' }] }, entities[1]] };
    await expect(stage.import(again)).rejects.toMatchObject({
      problem: { code: 'unique-violation' },
    });
    expect(await stage.counts()).toEqual({ books: 1, colors: 1 });
  });
});

const keyless = schemaOf(`
entities:
  - name: Notes
    properties: [{ name: text }]
`);

const cyclic = schemaOf(`
entities:
  - name: Teams
    primaryKey: [id]
    properties: [{ name: id, type: integer }, { name: leaderId, type: integer, required: true }]
    relations: [{ name: leader, from: leaderId, entity: People, to: id }]
  - name: People
    primaryKey: [id]
    properties:
      - { name: id, type: integer }
      - { name: teamId, type: integer, required: true }
      - { name: friendOf, type: integer }
    relations:
      - { name: team, from: teamId, entity: Teams, to: id, target: members }
      - { name: friend, from: friendOf, entity: People, to: id, target: friends }
`);

const books = `
  - name: Books
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }, { name: title }]
`;

const threeLevels = schemaOf(`
entities:${books}
  - name: Books.chapters
    primaryKey: [bookId, number]
    properties: [{ name: bookId, type: integer }, { name: number, type: integer }]
    relations: [{ name: book, from: bookId, entity: Books, to: id, target: chapters }]
  - name: Books.chapters.pages
    primaryKey: [bookId, number]
    properties: [{ name: bookId, type: integer }, { name: number, type: integer }, { name: text }]
    relations:
      - { name: chapter, from: bookId, entity: Books.chapters, to: bookId, target: pages, weak: true }
`);

const shelves = `
entities:
  - name: Shelves
    primaryKey: [id]
    properties: [{ name: id, type: integer }]
  - name: Books
    primaryKey: [id]
    properties:
      - { name: id, type: integer }
      - { name: shelfId, type: integer }
      - { name: authorId, type: integer }
    relations:
      - { name: shelf, from: shelfId, entity: Shelves, to: id, target: books }
      - { name: author, from: authorId, entity: Authors, to: id }
  - name: Authors
    primaryKey: [id]
    properties: [{ name: id, type: integer }, { name: shelfId, type: integer }]
`;
const written = schemaOf(shelves);
const circular = schemaOf(`${shelves}
    relations: [{ name: shelf, from: shelfId, entity: Shelves, to: id, target: authors }]
`);

const everyType = schemaOf(`
enums:
  - name: Colors
    values: [{ name: red, value: red }, { name: blue, value: blue }]
entities:
  - name: Everything
    primaryKey: [id]
    properties:
      - { name: id, type: integer }
      - { name: exact, type: decimal }
      - { name: rough, type: number }
      - { name: flag, type: boolean }
      - { name: moment, type: dateTime }
      - { name: day, type: date }
      - { name: hour, type: time }
      - { name: color, enum: Colors, default: blue }
      - { name: any, type: any }
      - { name: stamp, type: dateTime, default: now() }
`);

const twoSources = (() => {
  const base = schemaOf(`
entities:${books}
  - name: Colors
    primaryKey: [id]
    properties: [{ name: id, type: integer }]
`);
  const [source] = base.sources;
  if (!source) throw new Error('The schema has no source.');
  return {
    ...base,
    sources: [source, { ...source, name: 'other' }],
    stages: [
      {
        name: 'default',
        sources: [{ name: 'other', condition: "entity == 'Books'" }, { name: 'default' }],
      },
    ],
  };
})();
