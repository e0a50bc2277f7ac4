/** Imports and exports work on MariaDB as on PostgreSQL; push and drop can be repeated. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drop, push } from '../../src/workers/tasks/ddl.js';
import { northwindSchema } from '../engine/ddl/cases.js';
import { describeMariadb } from '../support/mariadb.js';
import { nestedDocument, smallCounts, smallDocument } from '../workers/import-document.js';
import { openStage, schemaOf, type TestStage } from '../workers/import-stage.js';
import { type MariadbStage, openMariadbStage } from './transfer-stage.js';

const tree = `
entities:
  - name: Nodes
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: name, required: true }
      - { name: parentId, type: integer }
    relations:
      - { name: parent, from: parentId, entity: Nodes, to: id, target: children }
`;

const transforming = `
entities:
  - name: Parts
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: code, length: 8, writeExp: upper(code) }
      - { name: name, writeValue: trim(name) }
      - { name: slug, default: lower(name) }
      - { name: amount, type: integer, default: 1 }
    constraints: [{ message: not negative, condition: amount >= 0 }]
`;

const parts = [
  { id: 5, code: 'a-b', name: ' Saw ' },
  { code: 'c', name: 'Axe', slug: 'own', amount: 0 },
  { code: null, name: 'Top' },
];

const customer = { entity: 'Customers', rows: [{ id: 'A', name: 'a' }] };

const refused: Readonly<Record<string, readonly object[]>> = {
  'a duplicate primary key': [{ entity: 'Customers', rows: [customer.rows[0], customer.rows[0]] }],
  'a duplicate unique key': [{ entity: 'Shippers', rows: [{ name: 'same' }, { name: 'same' }] }],
  'a reference to a missing row': [
    { entity: 'Orders', rows: [{ customerId: 'none', employeeId: 1 }] },
  ],
  'a value of the wrong type': [customer, { entity: 'Shippers', rows: [{ id: 'x', name: 'a' }] }],
  'a number that is too large': [{ entity: 'Shippers', rows: [{ id: 2 ** 31, name: 'a' }] }],
  'a string that is too long': [{ entity: 'Customers', rows: [{ id: 'TOOLONG', name: 'a' }] }],
};

describeMariadb('import and export', () => {
  let postgresql: TestStage;
  let mariadb: MariadbStage;

  beforeEach(async () => {
    postgresql = await openStage(northwindSchema());
    mariadb = await openMariadbStage(northwindSchema());
  });
  afterEach(async () => {
    await postgresql.close();
    await mariadb.close();
  });

  test('an export from PostgreSQL is imported, and exported again unchanged', async () => {
    await postgresql.import(manyOrders());
    const text = await postgresql.export();
    await mariadb.import(text);
    expect(await mariadb.export()).toBe(text);
  });

  test('entities may come in any order, and strings may contain any character', async () => {
    const entities = [...smallDocument.entities].reverse();
    await postgresql.import(smallDocument);
    const counts = await mariadb.import({ entities });
    expect(new Set(counts)).toEqual(new Set(smallCounts));
    expect(await mariadb.export()).toBe(await postgresql.export());
  });

  test('missing keys are generated, and nested rows refer to them', async () => {
    const counts = await postgresql.import(nestedDocument);
    expect(await mariadb.import(nestedDocument)).toEqual(counts);
    const [expected, found] = [await postgresql.export(), await mariadb.export()];
    expect(withoutGeneratedKeys(found)).toEqual(withoutGeneratedKeys(expected));
  });

  test.each(Object.entries(refused))(
    '%s is refused as on PostgreSQL, and nothing is stored',
    async (...given) => {
      const entities = given[1];
      const before = await mariadb.export();
      const problems = [postgresql, mariadb].map((stage) => problemOf(stage.import({ entities })));
      const [expected, found] = await Promise.all(problems);
      expect(found).toEqual(expected);
      expect(await mariadb.export()).toBe(before);
    },
  );

  test('a failed import leaves foreign keys in force for others', async () => {
    await problemOf(mariadb.import({ entities: refused['a reference to a missing row'] }));
    await mariadb.import({ entities: [customer] });
    const insert = "INSERT INTO Products (ProductName, SupplierID) VALUES ('x', 77)";
    await expect(mariadb.sql(insert)).rejects.toThrow('foreign key');
  });

  test('rows may be nested in rows of their own entity, however deeply', async () => {
    const stage = await openMariadbStage(schemaOf(tree));
    const leaf = { name: 'leaf' };
    const rows = [{ name: 'root', children: [{ children: [leaf, leaf], name: 'inner' }] }];
    await stage.import({ entities: [{ entity: 'Nodes', rows }] });
    const { entities } = JSON.parse(await stage.export());
    const named = new Map(entities[0].rows.map((row: Node) => [row.id, row.name]));
    const pairs = entities[0].rows.map((row: Node) => [row.name, named.get(row.parentId) ?? null]);
    expect(pairs).toEqual([
      ['root', null],
      ['inner', 'root'],
      ['leaf', 'inner'],
      ['leaf', 'inner'],
    ]);
    await stage.close();
  });

  test('push finds nothing to do the second time, and drop removes all tables', async () => {
    const said: string[] = [];
    const task = {
      schema: mariadb.schema,
      dryRun: false,
      say: (line: string) => void said.push(line),
    };
    expect(await push(task)).toBe(0);
    await mariadb.sql('DROP TABLE `Order Details`');
    expect(await push(task)).toBeGreaterThan(0);
    expect(await push(task)).toBe(0);
    expect(await drop(task)).toBeGreaterThan(0);
    expect(await mariadb.sql('SHOW TABLES')).toEqual([]);
    expect(await drop(task)).toBe(0);
    expect(said.filter((line) => line === 'default: nothing to do')).toHaveLength(3);
  });

  test('push says that a connection names no database', async () => {
    const { schema } = mariadb;
    const [source] = schema.sources;
    const { database: _, ...connection } = source?.connection ?? {};
    const sources = schema.sources.map((one) => ({ ...one, connection }));
    const task = { schema: { ...schema, sources }, dryRun: true, say: () => undefined };
    await expect(push(task)).rejects.toThrow('names no database');
  });

  test('values that the schema transforms are stored as on PostgreSQL', async () => {
    const base = schemaOf(transforming);
    const stages = [await openStage(base), await openMariadbStage(base)] as const;
    try {
      const documents: unknown[] = [];
      for (const stage of stages) {
        await stage.import({ entities: [{ entity: 'Parts', rows: parts }] });
        const bad = { entities: [{ entity: 'Parts', rows: [{ name: 'x', amount: -1 }] }] };
        await expect(stage.import(bad)).rejects.toMatchObject({
          problem: { code: 'constraint-unmet' },
        });
        documents.push(JSON.parse(await stage.export()));
      }
      expect(documents[1]).toEqual(documents[0]);
      expect(documents[0]).toMatchObject({
        entities: [
          {
            rows: [
              { id: 5, code: 'A-B', name: 'Saw', slug: ' saw ', amount: 1 },
              { id: 6, code: 'C', name: 'Axe', slug: 'own', amount: 0 },
              { id: 7, code: null, name: 'Top', slug: 'top', amount: 1 },
            ],
          },
        ],
      });
    } finally {
      for (const stage of stages) await stage.close();
    }
  });
});

interface Node {
  readonly id: number;
  readonly name: string;
  readonly parentId: number | null;
}

/** Enough rows for several statements of each kind, with values of each type. */
function manyOrders(): object {
  const ids = Array.from({ length: 2500 }, (_, index) => index + 1);
  const [small] = smallDocument.entities.filter(({ entity }) => entity === 'Orders');
  const orders = ids.map((id) => ({
    id,
    customerId: 'ÅSA',
    employeeId: 1 + (id % 2),
    orderDate: new Date(id * 86_399_123).toISOString(),
    freight: id % 7 === 0 ? null : id / 8,
    name: `order ${id} 'é' \\ \t`,
    details: id % 3 === 0 ? [] : [{ productId: 1, unitPrice: id / 100, quantity: id }],
  }));
  const others = smallDocument.entities.filter((entity) => entity !== small);
  return { entities: [{ entity: 'Orders', rows: orders }, ...others] };
}

async function problemOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  const problem: unknown = error instanceof Error ? Reflect.get(error, 'problem') : undefined;
  if (typeof problem !== 'object' || problem === null) throw error;
  const { detail, ...more } = { detail: '', ...problem, sqlstate: undefined };
  // Only MariaDB names the column of a number that is out of range.
  return { ...more, detail: detail.replace(/of id in entity Shippers/, 'of its type') };
}

/** Replaces keys by their type, because each database generates other keys. */
function withoutGeneratedKeys(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) =>
    ['id', 'supplierId', 'productId'].includes(name) ? typeof value : value,
  );
}
