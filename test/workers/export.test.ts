import { afterEach, beforeEach, expect, test } from 'vitest';
import { createThrottle } from './export-throttle.js';
import { northwindSchema } from '../engine/ddl/cases.js';
import { withClient } from '../support/embedded.js';
import { smallDocument } from './import-document.js';
import { openStage, schemaOf, type TestStage } from './import-stage.js';

let stage: TestStage;

beforeEach(async () => {
  stage = await openStage(northwindSchema());
});
afterEach(() => stage.close());

test('every entity is in the document, with parts inside their parents', async () => {
  await stage.import(smallDocument);
  const { entities } = JSON.parse(await stage.export());
  expect(entities.map(({ entity }: { entity: string }) => entity)).toEqual([
    'Categories',
    'Customers',
    'Employees',
    'Shippers',
    'Suppliers',
    'Products',
    'Orders',
  ]);
  expect(entities.at(-1).rows.map(({ details }: { details: unknown }) => details)).toEqual([
    [{ orderId: 10, productId: 1, unitPrice: 12.5, quantity: 3, discount: 0 }],
    [],
  ]);
});

test('an export that is imported elsewhere and exported again is the same', async () => {
  await stage.import(smallDocument);
  const other = await openStage(northwindSchema());
  for (const pretty of [false, true]) {
    const text = await stage.export(pretty);
    await other.sql(truncate);
    await other.import(text);
    expect(await other.export(pretty)).toBe(text);
  }
  await other.close();
});

test.each([
  ['without rows', { entities: [] }],
  ['with rows', smallDocument],
])('an indented document %s is formatted as JSON.stringify does', async (_, document) => {
  await stage.import(document);
  const compact = await stage.export();
  expect(await stage.export(true)).toBe(JSON.stringify(JSON.parse(compact), null, 2));
});

test('rows are sorted by primary key, however they are stored', async () => {
  const ids = [5, 3, 9, 1];
  const rows = ids.map((id) => ({ id, name: `s${id}` }));
  await stage.import({ entities: [{ entity: 'Shippers', rows }] });
  await stage.sql(`UPDATE Shippers SET Phone = '1' WHERE ShipperID = 1`);
  const { entities } = JSON.parse(await stage.export());
  expect(entities[3].rows.map(({ id }: { id: number }) => id)).toEqual([1, 3, 5, 9]);
});

test('rows that others write meanwhile are not in it', async () => {
  const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `supplier ${id}` }));
  await stage.import({ entities: [{ entity: 'Suppliers', rows }] });
  const before = await stage.export();
  const parts: Uint8Array[] = [];
  await withClient(stage.connection, (client) =>
    stage.exportTo(async (bytes) => {
      if (parts.length === 0) {
        await client.query(`INSERT INTO Suppliers (CompanyName) VALUES ('late')`);
        await client.query(`INSERT INTO Products (ProductName, SupplierID) VALUES ('late', 1)`);
      }
      parts.push(bytes);
    }),
  );
  expect(parts.length).toBeGreaterThan(10);
  expect(Buffer.concat(parts).toString()).toBe(before);
});

test('a failing writer ends it, and leaves no transaction open', async () => {
  const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `supplier ${id}` }));
  await stage.import({ entities: [{ entity: 'Suppliers', rows }] });
  const full = (): Promise<void> => Promise.reject(new Error('the disk is full'));
  await expect(stage.exportTo(full)).rejects.toThrow('the disk is full');
  await expect.poll(() => stage.sql(openTransactions)).toEqual([]);
});

test('it waits for a slow writer', async () => {
  const rows = Array.from({ length: 60_000 }, (_, id) => ({ id, name: 'x'.repeat(70) + id }));
  await stage.import({ entities: [{ entity: 'Suppliers', rows }] });
  const throttle = createThrottle();
  await stage.exportTo(throttle.write);
  expect(throttle.bytes).toBeGreaterThan(8 << 20);
  expect(throttle.overlaps).toBe(0);
});

test('a part that may lack its parent is listed by itself', async () => {
  const other = await openStage(looseParts);
  await other.import({
    entities: [
      { entity: 'Books', rows: [{ id: 1 }] },
      { entity: 'Books.notes', rows: [{ id: 2 }] },
    ],
  });
  expect(await other.export()).toBe(
    '{"entities":[{"entity":"Books","rows":[{"id":1}]},' +
      '{"entity":"Books.notes","rows":[{"id":2,"bookId":null}]}]}',
  );
  await other.close();
});

const looseParts = schemaOf(`
entities:
  - name: Books
    primaryKey: [id]
    properties: [{ name: id, type: integer }]
  - name: Books.notes
    primaryKey: [id]
    properties: [{ name: id, type: integer }, { name: bookId, type: integer }]
    relations: [{ name: book, from: bookId, entity: Books, to: id, target: notes }]
`);

const truncate =
  'TRUNCATE Categories, Customers, Employees, Shippers, Suppliers, Products, Orders, "Order Details"';

const openTransactions = `SELECT query FROM pg_stat_activity
  WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
