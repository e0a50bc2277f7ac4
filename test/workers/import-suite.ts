/** A suite for imports on each database: what they store, and which listeners run. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Schema } from '../../src/engine/index.js';
import { listeners, schemaWith } from './import-schema.js';
import type { Refused, TestStage } from './import-stage.js';

export type ImportStage = Pick<TestStage, 'import' | 'importAll' | 'export' | 'close'> & {
  /** The rows of a statement, as lists of strings, numbers and nulls. */
  rows(text: string): Promise<readonly unknown[][]>;
};

/** Creates a database with the tables of a schema, and a stage with it. */
export type OpenStage = (schema: Schema) => Promise<ImportStage>;

/** More rows than fit into one statement. */
const MANY = 5000;

const plain = schemaWith({});

export function describeImport(open: OpenStage): void {
  let stage: ImportStage;
  afterEach(() => stage.close());

  test('under a view, a violation is placed only if it does not concern a hidden property', async () => {
    const properties = [{ name: 'weight', exclude: true }];
    const narrow = { name: 'narrow', entities: [{ name: 'Shelves', properties }] };
    stage = await open({ ...plain, views: [...plain.views, narrow] });
    await stage.rows('CREATE UNIQUE INDEX weights ON Shelves (weight)');
    const refused = (ids: readonly number[]) => {
      const rows = ids.map((id, index) => ({ id, name: `s${index}` }));
      const imported = stage.importAll(
        { entities: [{ entity: 'Shelves', rows }] },
        { view: 'narrow' },
      );
      return imported.then(
        () => undefined,
        (error: Refused) => error.problem,
      );
    };
    const code = 'unique-violation';
    const hidden = await refused([1, 2]);
    const detail = 'A row with the same unique value already exists.';
    expect(hidden).toMatchObject({ code, detail });
    expect(hidden?.place).toBeUndefined();
    expect(await refused([1, 1])).toMatchObject({ code, place: 'entities[0].rows[1].id' });
  });

  describe('an import stores', () => {
    test('null if a column has a default and no row has another value', async () => {
      stage = await open(plain);
      const rows = [{ id: 1, name: 'a', weight: null }];
      await stage.import({ entities: [{ entity: 'Shelves', rows }] });
      expect(await stage.rows('SELECT name, weight FROM Shelves')).toEqual([['a', null]]);
    });

    test('numbers with all their digits', async () => {
      stage = await open(plain);
      const row = '{"id":1,"name":"a","weight":12345678901234567890.123456789}';
      await stage.import(`{"entities":[{"entity":"Shelves","rows":[${row}]}]}`);
      expect(await stage.export()).toContain('"weight":12345678901234567890.123456789');
    });

    test('many rows nested three deep, whose keys are generated, given, or given before them', async () => {
      stage = await open(plain);
      const pages = [{ number: 1, text: 'p' }, { number: 2 }];
      const rows = Array.from({ length: MANY }, (_, index) => ({
        books: [{ pages, title: `b${index}`, sequels: [] }],
        name: `s${index}`,
        ...(index % 3 === 0 && { id: index + 1 }),
      }));
      expect(await stage.import({ entities: [{ entity: 'Shelves', rows }] })).toEqual([
        { entity: 'Shelves', rows: MANY },
        { entity: 'Books', rows: MANY },
        { entity: 'Books.pages', rows: 2 * MANY },
      ]);
      const joined = await stage.rows(`
        SELECT COUNT(*) AS a, COUNT(DISTINCT Shelves.id) AS b, COUNT(DISTINCT bookId) AS c FROM Shelves
        INNER JOIN Books ON shelfId = Shelves.id AND substr(name, 2) = substr(title, 2)
        INNER JOIN Books_pages ON bookId = Books.id`);
      expect(joined[0]?.map(Number)).toEqual([2 * MANY, MANY, MANY]);
      const given = await stage.rows(
        "SELECT COUNT(*) FROM Shelves WHERE name = concat('s', id - 1)",
      );
      expect(Number(given[0]?.[0])).toBeGreaterThanOrEqual(Math.ceil(MANY / 3));
    });

    test('rows that refer to later ones, or to themselves', async () => {
      stage = await open(plain);
      const books = Array.from({ length: MANY }, (_, index) => ({
        id: index + 1,
        shelfId: 3,
        sequelOf: index + 1 === MANY ? MANY : index + 2,
      }));
      const shelf = { entity: 'Shelves', rows: [{ id: 3, name: 'c' }] };
      await stage.import({ entities: [{ entity: 'Books', rows: books }, shelf] });
      expect(await stage.rows('SELECT COUNT(*) FROM Books')).toEqual([[expect.anything()]]);
    });

    test('nothing if one of many rows refers to a missing one', async () => {
      stage = await open(plain);
      const rows = Array.from({ length: MANY }, (_, index) => ({
        shelfId: 1,
        sequelOf: null,
        id: index + 1,
      }));
      const books = [...rows, { shelfId: 1, sequelOf: MANY + 2, id: MANY + 1 }];
      const shelf = { entity: 'Shelves', rows: [{ id: 1, name: 'c' }] };
      await expect(
        stage.import({ entities: [{ entity: 'Books', rows: books }, shelf] }),
      ).rejects.toMatchObject({
        problem: {
          code: 'foreign-key-violation',
          detail: 'A row of entity Books refers to one that does not exist in sequelOf.',
        },
      });
      expect(await stage.rows('SELECT id FROM Shelves')).toEqual([]);
    });

    test('no row that does not fit its column, and reports its place', async () => {
      stage = await open(plain);
      const rows = [{ name: 'a' }, { name: 'b', books: [{ id: 1, sequelOf: 2 ** 40 }] }];
      await expect(stage.import({ entities: [{ entity: 'Shelves', rows }] })).rejects.toMatchObject(
        {
          problem: {
            code: 'value-out-of-range',
            place: 'entities[0].rows[1].books[0].sequelOf',
          },
        },
      );
    });
  });

  describe('members that the schema does not know', () => {
    const rows = [
      { name: 'a', color: 'red', books: [{ title: 't', author: { name: 'x' } }] },
      { name: 'b', color: [1, { deep: true }], books: [{ author: 'y', isbn: null }] },
    ];
    const ignored = { 'Shelves.color': 2, 'Books.author': 2, 'Books.isbn': 1 };

    test('are ignored and counted', async () => {
      stage = await open(plain);
      const document = { entities: [{ entity: 'Shelves', rows }] };
      expect(await stage.importAll(document)).toEqual({
        counts: [
          { entity: 'Shelves', rows: 2 },
          { entity: 'Books', rows: 2 },
        ],
        ignored,
      });
      expect(await stage.rows('SELECT name FROM Shelves ORDER BY name')).toEqual([['a'], ['b']]);
    });

    test('are refused by a strict import', async () => {
      stage = await open(plain);
      const first = { entity: 'Logs', rows: [{ what: 'x' }] };
      const document = { entities: [first, { entity: 'Shelves', rows: [{ naem: 'a' }] }] };
      await expect(stage.importAll(document, { strict: true })).rejects.toMatchObject({
        problem: {
          code: 'unknown-property',
          detail: "There is no property or relation 'naem' in 'Shelves'.",
          place: 'entities[1].rows[0].naem',
          hint: "Did you mean 'name'?",
        },
      });
      expect(await stage.rows('SELECT id FROM Logs')).toEqual([]);
    });

    test('are counted together beyond a thousand names', async () => {
      stage = await open(plain);
      const many = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`x${index}`, 1]));
      const document = { entities: [{ entity: 'Logs', rows: [many, many] }] };
      const found = (await stage.importAll(document)).ignored;
      expect(Object.keys(found)).toHaveLength(1001);
      expect(found).toMatchObject({ 'Logs.x0': 2, '…': 400 });
    });
  });

  describe('listeners', () => {
    const what = async (): Promise<unknown[]> =>
      (await stage.rows('SELECT what FROM Logs ORDER BY id')).map(([text]) => text);

    test('see inserts as bulkInserts of a thousand rows, including nested ones', async () => {
      stage = await open(schemaWith({ listeners }));
      const shelves = Array.from({ length: 1500 }, (_, index) => ({
        name: `s${index}`,
        other: 1,
        ...(index === 0 && { books: [{ title: 't', pages: [{ number: 1 }] }, { title: 'u' }] }),
      }));
      const answer = await stage.importAll({
        entities: [
          // It comes before the row that it refers to.
          { entity: 'Books', rows: [{ shelfId: 9000 }] },
          { entity: 'Shelves', rows: shelves },
          { entity: 'Shelves', rows: [{ name: 'last', id: 9000 }] },
        ],
      });
      expect(answer.counts).toEqual([
        { entity: 'Books', rows: 3 },
        { entity: 'Shelves', rows: 1501 },
        { entity: 'Books.pages', rows: 1 },
      ]);
      expect(answer.ignored).toEqual({ 'Shelves.other': 1500 });
      expect(await what()).toEqual([
        // Rows with a key come first.
        'before Shelves.bulkInsert()',
        'after default',
        'before Shelves.bulkInsert().include(p=>[p.books.include(p=>[p.pages])])',
        'after default',
        'before Shelves.bulkInsert()',
        'after default',
      ]);
      const books = await stage.rows(
        'SELECT title, name FROM Books INNER JOIN Shelves ON shelfId = Shelves.id ORDER BY title, name',
      );
      expect(new Set(books.map(String))).toEqual(new Set([',last', 't,s0', 'u,s0']));
    });

    test('see rows that refer to later ones, but not to missing ones', async () => {
      const seen = { name: 'seen', on: ['insert'], condition: 'entity == "Books"', after: 'true' };
      stage = await open(schemaWith({ listeners: [seen] }));
      const shelf = { entity: 'Shelves', rows: [{ id: 1, name: 'a' }] };
      const book = { id: 1, shelfId: 1, sequelOf: 2 };
      await expect(
        stage.import({ entities: [shelf, { entity: 'Books', rows: [book] }] }),
      ).rejects.toMatchObject({ problem: { code: 'foreign-key-violation' } });
      expect(await stage.rows('SELECT id FROM Books')).toEqual([]);
      const rows = [book, { id: 2, shelfId: 1, pages: [{ number: 1 }] }, { shelfId: 1 }];
      await stage.import({ entities: [{ entity: 'Books', rows }, shelf] });
      expect(await stage.rows('SELECT id, sequelOf FROM Books ORDER BY id')).toEqual([
        [1, 2],
        [2, null],
        [3, null],
      ]);
    });

    test('must not refer to missing rows themselves', async () => {
      const condition = 'entity == "Shelves"';
      const after = 'Books.insert({shelfId: 77})';
      const own = { name: 'wrong', on: ['insert'], condition, after };
      stage = await open(schemaWith({ listeners: [own] }));
      const shelf = { entity: 'Shelves', rows: [{ id: 1, name: 'a' }] };
      await expect(stage.import({ entities: [shelf] })).rejects.toMatchObject({
        // PostgreSQL checks the reference at the end.
        problem: { code: expect.stringMatching(/^(listener-failed|foreign-key-violation)$/) },
      });
      expect(await stage.rows('SELECT id FROM Shelves')).toEqual([]);
    });

    test('see rows whose keys do not collide with keys that come later', async () => {
      stage = await open(schemaWith({ listeners }));
      const shelves = Array.from({ length: 1200 }, (_, index) => ({ name: `s${index}` }));
      const rows = [...shelves, { id: 500, name: 'given' }];
      await stage.import({ entities: [{ entity: 'Shelves', rows }] });
      expect(await stage.rows('SELECT name FROM Shelves WHERE id = 500')).toEqual([['given']]);
    });

    test('see what is stored, and stop the import if they are false', async () => {
      const own = [
        {
          name: 'third',
          on: ['insert'],
          condition: 'entity == "Shelves"',
          after: 'length(data.name) == null && result.name == null',
        },
        { name: 'stop', on: ['insert'], condition: 'entity == "Logs"', after: 'false' },
      ];
      stage = await open(schemaWith({ listeners: own }));
      const shelf = { entity: 'Shelves', rows: [{ name: 'a' }] };
      await stage.import({ entities: [shelf] });
      const document = {
        entities: [
          { ...shelf, rows: [{ name: 'b' }] },
          { entity: 'Logs', rows: [{}] },
        ],
      };
      await expect(stage.import(document)).rejects.toMatchObject({
        problem: { code: 'listener-failed', detail: expect.stringContaining("'stop' (after)") },
      });
      expect(await stage.rows('SELECT name FROM Shelves')).toEqual([['a']]);
    });

    test('for errors run after a failed import has been rolled back', async () => {
      stage = await open(schemaWith({ listeners }));
      const rows = [{ name: 'a' }, { name: 'a' }];
      await expect(stage.import({ entities: [{ entity: 'Shelves', rows }] })).rejects.toMatchObject(
        {
          problem: {
            code: 'unique-violation',
            place: expect.stringMatching(/^entities\[0\]\.rows\[1\]/),
          },
        },
      );
      expect(await what()).toEqual(['error unique-violation']);
      await expect(
        stage.import({
          entities: [
            { entity: 'Shelves', rows: [rows[0]] },
            { entity: 'Logs', rows: [{ id: 'x' }] },
          ],
        }),
      ).rejects.toMatchObject({
        problem: { code: 'parameter-type', place: 'entities[1].rows[0].id' },
      });
      expect(await what()).toEqual(['error unique-violation', 'error parameter-type']);
    });

    test('do not hide errors in other rows', async () => {
      stage = await open(schemaWith({ listeners }));
      const books = Array.from({ length: 30_000 }, (_, index) => ({
        shelfId: index === 20_000 ? 2 ** 40 : 1,
        id: index + 1,
      }));
      const shelves = Array.from({ length: 1500 }, (_, index) => ({ name: `s${index}` }));
      const entity = { entity: 'Shelves', rows: shelves };
      await expect(
        stage.import({ entities: [{ entity: 'Books', rows: books }, entity] }),
      ).rejects.toMatchObject({
        problem: { code: 'value-out-of-range', place: 'entities[0].rows[20000].shelfId' },
      });
    });

    test('execute in another stage after the import has been committed', async () => {
      const copy = { name: 'copy', on: ['insert'], condition: 'options.stage == "default"' };
      const after = 'orm.execute(query, data, {stage: "copy"})';
      stage = await open(schemaWith({ listeners: [{ ...copy, after }] }));
      const shelves = Array.from({ length: 1200 }, (_, index) => ({
        id: index + 1,
        name: `s${index}`,
        books: [{ id: index + 1, title: `b${index}` }],
      }));
      await stage.import({ entities: [{ entity: 'Shelves', rows: shelves }] });
      const text =
        'SELECT COUNT(*) FROM Shelves_copy INNER JOIN Books_copy ON shelfId = Shelves_copy.id';
      expect((await stage.rows(text))[0]?.map(Number)).toEqual([1200]);
      const taken = { entities: [{ entity: 'Shelves', rows: [{ id: 1, name: 'again' }] }] };
      await expect(stage.import(taken)).rejects.toMatchObject({
        problem: { code: 'unique-violation' },
      });
      expect((await stage.rows(text))[0]?.map(Number)).toEqual([1200]);
    });
  });
}
