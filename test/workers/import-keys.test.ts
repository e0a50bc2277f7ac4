/** Keys that an import gives to rows, and to the rows nested in them, on each database. */
import { afterEach, describe, expect, test } from 'vitest';
import { type DialectName, loadSchema } from '../../src/engine/index.js';
import { openMariadbStage } from '../mariadb/transfer-stage.js';
import { describeMariadb } from '../support/mariadb.js';
import { openStage, schemaOf } from './import-stage.js';
import type { ImportStage, OpenStage } from './import-suite.js';

const books = schemaOf(`
entities:
  - name: Books
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }, { name: title, length: 9 }]
  - name: Books.chapters
    primaryKey: [bookId, number]
    properties: [{ name: bookId, type: integer }, { name: number, type: integer }]
    relations: [{ name: book, from: bookId, entity: Books, to: id, target: chapters }]
  - name: Books.chapters.pages
    primaryKey: [number]
    properties: [{ name: bookId, type: integer }, { name: number, type: integer }]
    relations:
      - { name: chapter, from: bookId, entity: Books.chapters, to: bookId, target: pages, weak: true }
`);

const trees = schemaOf(`
entities:
  - name: Trees
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }, { name: name, length: 9 }]
  - name: Nodes
    primaryKey: [label]
    properties:
      - { name: label, length: 9 }
      - { name: treeId, type: integer }
      - { name: no, type: integer }
      - { name: parentNo, type: integer }
    relations:
      - { name: tree, from: treeId, entity: Trees, to: id, target: nodes }
      - { name: parent, from: [treeId, parentNo], entity: Nodes, to: [treeId, no], target: children, weak: true }
`);

const shelves = schemaOf(`
entities:
  - name: Shelves
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }, { name: name, length: 9 }]
  - name: Books
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: title, length: 9 }
      - { name: shelfId, type: integer }
    relations: [{ name: shelf, from: shelfId, entity: Shelves, to: id, target: books }]
`);

const nodes = schemaOf(`
entities:
  - name: Nodes
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: name, length: 9, required: true }
      - { name: aboveId, type: integer }
    relations: [{ name: above, from: aboveId, entity: Nodes, to: id, target: below }]
`);

const persons = schemaOf(`
entities:
  - name: Persons
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }, { name: name, length: 9 }]
  - name: Details
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }, { name: note, length: 9 }]
    relations: [{ name: person, from: id, entity: Persons, to: id, target: details, weak: true }]
`);

const tenants = schemaOf(`
entities:
  - name: Tenants
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }, { name: name, length: 9 }]
  - name: Projects
    primaryKey: [id]
    properties: [{ name: id, type: integer }, { name: tenantId, type: integer, default: 1 }]
    relations: [{ name: tenant, from: tenantId, entity: Tenants, to: id, target: projects }]
  - name: Tasks
    primaryKey: [id]
    properties:
      - { name: id, type: integer }
      - { name: tenantId, type: integer }
      - { name: projectId, type: integer }
    relations:
      - { name: project, from: [tenantId, projectId], entity: Projects, to: [tenantId, id], target: tasks, weak: true }
`);

const codes = schemaOf(`
entities:
  - name: Codes
    primaryKey: [code]
    properties: [{ name: code, length: 9 }]
  - name: Codes.uses
    primaryKey: [id]
    properties: [{ name: id, type: integer }, { name: code, length: 9, required: true }]
    relations: [{ name: of, from: code, entity: Codes, to: code, target: uses }]
`);

/** The type of a column that ignores case. */
const ignoringCase: Readonly<Record<DialectName, string>> = {
  PostgreSQL: 'varchar(9) COLLATE ignoring',
  MariaDB: 'varchar(9) COLLATE utf8mb4_general_ci',
  MySQL: 'varchar(9) COLLATE utf8mb4_general_ci',
};

const switched = schemaOf(`
entities:
  - name: Switches
    primaryKey: [id, active]
    properties: [{ name: id, type: integer }, { name: active, type: boolean }]
  - name: Parts
    primaryKey: [no]
    properties:
      - { name: no, type: integer }
      - { name: switchId, type: integer }
      - { name: active, type: boolean }
    relations: [{ name: of, from: [switchId, active], entity: Switches, to: [id, active], target: parts }]
`);

const animal = (name: string, key: string) => ({
  name,
  primaryKey: ['id'],
  properties: [
    { name: 'id', type: 'integer', autoIncrement: true },
    { name: 'name', length: 9 },
    { name: 'kind', length: 9, key },
  ],
});

const mapped = ['Cats', 'Dogs'].map((name) => ({ name, mapping: 'Animals' }));
const animals = loadSchema({
  domain: { version: '1.0.0', entities: [animal('Cats', 'cat'), animal('Dogs', 'dog')] },
  infrastructure: {
    mappings: [{ name: 'default', entities: mapped }],
    sources: [{ name: 'default', dialect: 'PostgreSQL', mapping: 'default', connection: {} }],
    stages: [{ name: 'default', sources: [{ name: 'default' }] }],
  },
});

function describeKeys(dialect: DialectName, open: OpenStage): void {
  let stage: ImportStage;
  afterEach(() => stage.close());

  test('reach rows nested twice, also if these were nested in another entity before', async () => {
    stage = await open(books);
    const chapters = [{ number: 1, pages: [{ number: 1 }] }];
    await stage.import({
      entities: [
        { entity: 'Books.chapters', rows: [{ bookId: 8, number: 1, pages: [{ number: 5 }] }] },
        { entity: 'Books', rows: [{ id: 8 }, { title: 'x', chapters }] },
      ],
    });
    const pages = await stage.rows('SELECT number, bookId FROM Books_chapters_pages ORDER BY 1');
    expect(pages).toEqual([
      [1, 9],
      [5, 8],
    ]);
  });

  test('reach rows nested in rows of their own entity', async () => {
    stage = await open(trees);
    const leaf = { label: 'leaf', no: 4 };
    const twig = { label: 'twig', no: 3, children: [leaf] };
    const branch = { label: 'branch', no: 2, children: [twig] };
    const nodes = [{ label: 'stem', no: 1, children: [branch] }];
    await stage.import({ entities: [{ entity: 'Trees', rows: [{ name: 'oak', nodes }] }] });
    expect(await stage.rows('SELECT label, treeId, parentNo FROM Nodes ORDER BY no')).toEqual([
      ['stem', 1, null],
      ['branch', 1, 1],
      ['twig', 1, 2],
      ['leaf', 1, 3],
    ]);
  });

  test('of parents replace the default of a property that other rows inherit', async () => {
    stage = await open(tenants);
    const projects = [{ id: 10, tasks: [{ id: 1 }] }];
    const rows = [
      { id: 4, name: 'm' },
      { name: 'n', projects },
    ];
    await stage.import({ entities: [{ entity: 'Tenants', rows }] });
    expect(await stage.rows('SELECT id, tenantId FROM Projects')).toEqual([[10, 5]]);
    expect(await stage.rows('SELECT tenantId, projectId FROM Tasks')).toEqual([[5, 10]]);
  });

  test('are generated after the given ones of all entities in the same table', async () => {
    stage = await open(animals);
    await stage.import({
      entities: [
        { entity: 'Cats', rows: [{ name: 'c' }] },
        { entity: 'Dogs', rows: [{ id: 1, name: 'd' }] },
      ],
    });
    expect(await stage.rows('SELECT id, name, kind FROM Animals ORDER BY id')).toEqual([
      [1, 'd', 'dog'],
      [2, 'c', 'cat'],
    ]);
  });

  test('are generated after those given to rows nested in rows without a key', async () => {
    stage = await open(shelves);
    const books = [{ id: 1, title: 'y' }];
    await stage.import({
      entities: [
        { entity: 'Books', rows: [{ title: 'x', shelfId: 1 }] },
        {
          entity: 'Shelves',
          rows: [
            { id: 1, name: 'a' },
            { name: 'b', books },
          ],
        },
      ],
    });
    expect(await stage.rows('SELECT id, title, shelfId FROM Books ORDER BY id')).toEqual([
      [1, 'y', 2],
      [2, 'x', 1],
    ]);
  });

  test('are generated after those given to rows of their own entity that are nested in them', async () => {
    stage = await open(nodes);
    const below = [{ id: 2, name: 'x', below: [{ name: 'y' }] }, { name: 'z' }];
    const rows = [{ name: 'a' }, { name: 'b', below }];
    await stage.import({ entities: [{ entity: 'Nodes', rows }] });
    const found = await stage.rows(
      'SELECT n.name, n.id, m.name AS above FROM Nodes n LEFT JOIN Nodes m ON m.id = n.aboveId ORDER BY 1',
    );
    expect(found.map(([name, , above]) => [name, above])).toEqual([
      ['a', null],
      ['b', null],
      ['x', 'b'],
      ['y', 'x'],
      ['z', 'b'],
    ]);
    expect(found.find(([name]) => name === 'x')?.[1]).toBe(2);
  });

  test('are generated also if a later row that listeners see has the highest key of its column', async () => {
    const listeners = [{ name: 'any', on: ['insert' as const], after: 'true' }];
    stage = await open({ ...shelves, listeners });
    const highest = 2 ** 31 - 1;
    await stage.import({
      entities: [
        { entity: 'Shelves', rows: [{ id: 1, name: 'a', books: [{ title: 'x' }] }] },
        { entity: 'Books', rows: [{ id: highest, title: 'y', shelfId: 1 }] },
      ],
    });
    expect(await stage.rows('SELECT id, title FROM Books ORDER BY id')).toEqual([
      [1, 'x'],
      [highest, 'y'],
    ]);
  });

  test('are generated after the given ones of later rows also if listeners see these', async () => {
    const listeners = [{ name: 'any', on: ['insert' as const], after: 'true' }];
    stage = await open({ ...shelves, listeners });
    const rows = [{ id: 1, name: 'a', books: [{ title: 'x' }] }];
    await stage.import({
      entities: [
        { entity: 'Shelves', rows },
        { entity: 'Books', rows: [{ id: 1, title: 'y', shelfId: 1 }] },
      ],
    });
    expect(await stage.rows('SELECT id, title, shelfId FROM Books ORDER BY id')).toEqual([
      [1, 'y', 1],
      [2, 'x', 1],
    ]);
  });

  test('reach rows that are nested deeper than a query may nest includes, also if listeners see them', async () => {
    const listeners = [{ name: 'any', on: ['insert' as const], after: 'true' }];
    stage = await open({ ...nodes, listeners });
    const nest = (depth: number): object =>
      depth === 1 ? { name: '1' } : { name: `${depth}`, below: [nest(depth - 1)] };
    await stage.import({ entities: [{ entity: 'Nodes', rows: [nest(30)] }] });
    expect(await stage.rows('SELECT name, aboveId FROM Nodes WHERE id = 30')).toEqual([['1', 29]]);
  });

  test('that rows inherit are not generated again for later rows of their entity', async () => {
    stage = await open(persons);
    const detailed = { name: 'a', details: [{ note: 'x' }] };
    const rows = [detailed, { ...detailed, name: 'b' }];
    await stage.import({ entities: [{ entity: 'Persons', rows }] });
    await stage.rows("INSERT INTO Details (note) VALUES ('y')");
    expect(await stage.rows('SELECT id, note FROM Details ORDER BY id')).toEqual([
      [1, 'x'],
      [2, 'x'],
      [3, 'y'],
    ]);
  });

  test('are stored as an export has written them, if the database considers them equal', async () => {
    stage = await open(codes);
    const type = ignoringCase[dialect];
    await stage.rows('DROP TABLE Codes_uses');
    await stage.rows('DROP TABLE Codes');
    if (dialect === 'PostgreSQL')
      await stage.rows(
        "CREATE COLLATION ignoring (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
      );
    await stage.rows(`CREATE TABLE Codes (code ${type} PRIMARY KEY)`);
    const reference = 'FOREIGN KEY (code) REFERENCES Codes (code)';
    await stage.rows(`CREATE TABLE Codes_uses (id int PRIMARY KEY, code ${type}, ${reference})`);
    await stage.import({
      entities: [
        { entity: 'Codes', rows: [{ code: 'ab' }] },
        { entity: 'Codes.uses', rows: [{ id: 3, code: 'Ab' }] },
      ],
    });
    const exported = await stage.export();
    const nested = '{"code":"ab","uses":[{"id":3,"code":"Ab"}]}';
    const listed = '{"entity":"Codes.uses","rows":[{"id":3,"code":"Ab"}]}';
    expect(exported).toContain(dialect === 'PostgreSQL' ? listed : nested);
    for (const document of [exported, `{"entities":[{"entity":"Codes","rows":[${nested}]}]}`]) {
      await stage.rows('DELETE FROM Codes_uses');
      await stage.rows('DELETE FROM Codes');
      await stage.import(document);
      expect(await stage.export()).toBe(exported);
    }
    await stage.import({
      entities: [{ entity: 'Codes', rows: [{ code: 'c', uses: [{ id: 4 }] }] }],
    });
    const other = { code: 'd', uses: [{ id: 5, code: 'e' }] };
    await expect(
      stage.import({ entities: [{ entity: 'Codes', rows: [other] }] }),
    ).rejects.toMatchObject({ problem: { code: 'foreign-key-violation' } });
  });

  test('may have a boolean part', async () => {
    stage = await open(switched);
    const rows = [{ id: 1, active: true, parts: [{ no: 1 }, { no: 2, active: true }] }];
    await stage.import({ entities: [{ entity: 'Switches', rows }] });
    const joined =
      'SELECT no FROM Parts JOIN Switches USING (active) WHERE switchId = id ORDER BY no';
    expect(await stage.rows(joined)).toEqual([[1], [2]]);
    const parts = [{ no: 3, active: false }];
    await expect(
      stage.import({ entities: [{ entity: 'Switches', rows: [{ id: 2, active: true, parts }] }] }),
    ).rejects.toMatchObject({ problem: { place: 'entities[0].rows[0].parts[0].active' } });
  });

  test('need no rows beneath: null is an empty list', async () => {
    stage = await open(codes);
    const rows = [{ code: 'a', uses: null }];
    expect(await stage.import({ entities: [{ entity: 'Codes', rows }] })).toContainEqual({
      entity: 'Codes',
      rows: 1,
    });
  });
}

describe('keys in an import on PostgreSQL', () => {
  describeKeys('PostgreSQL', async (own) => {
    const stage = await openStage(own);
    return { ...stage, rows: async (text) => (await stage.sql(text)).map(Object.values) };
  });

  test('are generated also if a row and the table have the last number of the sequence', async () => {
    const stage = await openStage(nodes);
    const last = 2 ** 31 - 1;
    const importRows = (rows: readonly object[]) =>
      stage.import({ entities: [{ entity: 'Nodes', rows }] });
    try {
      await importRows([{ id: last, name: 'a' }, { id: 7, name: 'b' }, { name: 'c' }]);
      await importRows([{ id: 9, name: 'd' }, { name: 'e' }]);
      const found = await stage.sql(
        "SELECT id, name FROM Nodes WHERE name IN ('c', 'e') ORDER BY 1",
      );
      expect(found).toEqual([
        { id: 1, name: 'c' },
        { id: 10, name: 'e' },
      ]);
    } finally {
      await stage.close();
    }
  });
});

describeMariadb('keys in an import', () => {
  describe.each(['MariaDB', 'MySQL'] as const)('the dialect %s', (dialect) => {
    describeKeys(dialect, (own) => openMariadbStage(own, dialect));
  });
});
