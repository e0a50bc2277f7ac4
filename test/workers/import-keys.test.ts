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

function describeKeys(open: OpenStage): void {
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
}

describe('keys in an import on PostgreSQL', () =>
  describeKeys(async (own) => {
    const stage = await openStage(own);
    return { ...stage, rows: async (text) => (await stage.sql(text)).map(Object.values) };
  }));
for (const dialect of ['MariaDB', 'MySQL'] satisfies DialectName[]) {
  describeMariadb(`keys in an import on ${dialect}`, () =>
    describeKeys((own) => openMariadbStage(own, dialect)),
  );
}
