import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type SampleEntity,
  type SampleRow,
  sampleDocument,
  sampleEntities,
} from '../../src/embedded/sample-rows.js';

const entities = new Map(sampleEntities().map((sample) => [sample.entity, sample]));

test('the sample has the size of a small trading company', () => {
  const counts = Object.fromEntries(
    [...entities].map(([name, sample]) => [name, rowsOf(sample).length]),
  );
  expect(counts).toEqual({
    Categories: 8,
    Customers: 100,
    Employees: 9,
    Shippers: 4,
    Suppliers: 30,
    Products: 80,
    Orders: 900,
    'Orders.details': 2_400,
  });
});

test('at scale 7 there are as many times more orders, and more of their lines', () => {
  const counts = sampleEntities(7).map((sample) => rowsOf(sample).length);
  expect(counts).toEqual([8, 700, 9, 4, 30, 212, 6_300, 16_800]);
});

test('the document is the same on every machine', () => {
  const hash = createHash('sha256');
  for (const piece of sampleDocument()) hash.update(piece);
  expect(hash.digest('hex')).toMatchInlineSnapshot(
    `"3061181b44d94b512b1e87ae940f7e3a54eec715d1c6e44d7edd5c0f90a6dce3"`,
  );
});

test('the document is JSON in the form that an import accepts', () => {
  const document: unknown = JSON.parse([...sampleDocument()].join(''));
  const expected = sampleEntities().map(({ entity, rows }) => ({ entity, rows: [...rows()] }));
  expect(document).toEqual({ entities: expected });
});

test.each([0, 1.5, -1, 100_001, Number.NaN])('a scale of %d is refused', (scale) => {
  expect(() => sampleEntities(scale)).toThrow(RangeError);
});

test.each([
  { entity: 'Categories', keys: [['id'], ['name']] },
  { entity: 'Customers', keys: [['id']] },
  { entity: 'Employees', keys: [['id'], ['lastName', 'firstName']] },
  { entity: 'Shippers', keys: [['id'], ['name']] },
  { entity: 'Suppliers', keys: [['id'], ['name']] },
  { entity: 'Products', keys: [['id'], ['name', 'supplierId']] },
  { entity: 'Orders', keys: [['id']] },
  { entity: 'Orders.details', keys: [['orderId', 'productId']] },
])('keys of $entity are unique at every scale', ({ entity, keys }) => {
  for (const scale of [1, 30]) {
    const rows = rowsOf(sampleEntities(scale).find((sample) => sample.entity === entity));
    for (const key of keys) {
      const values = new Set(rows.map((row) => key.map((name) => row[name]).join('\0')));
      expect(values.size).toBe(rows.length);
    }
  }
});

describe('the texts and values are of many kinds', () => {
  const texts = [...entities.values()]
    .flatMap(rowsOf)
    .flatMap(Object.values)
    .map(String)
    .join('\n');

  test.each(['é', 'ü', 'ß', 'ø', 'Ł', '東京', "'", '&'])('%s', (text) => {
    expect(texts).toContain(text);
  });

  test('every nullable property is null in some row', () => {
    const rows = rowsOf(entities.get('Orders'));
    for (const name of ['shippedDate', 'shipViaId', 'region', 'postalCode']) {
      const empty = rows.filter((row) => row[name] === null).length;
      expect(empty, name).toBeGreaterThan(0);
      expect(empty, name).toBeLessThan(rows.length);
    }
  });

  test('orders are spread over five years', () => {
    const years = rowsOf(entities.get('Orders')).map((row) => String(row['orderDate']).slice(0, 4));
    expect([...new Set(years)]).toEqual(['2021', '2022', '2023', '2024', '2025']);
  });

  test('all employees but one report to another one, and in the end to that one', () => {
    const chiefs = new Map(
      rowsOf(entities.get('Employees')).map((row) => [row['id'], row['reportsToId']]),
    );
    for (const id of chiefs.keys()) {
      let current = id;
      for (let level = 0; level < 4 && current !== 1; level += 1) current = chiefs.get(current);
      expect(current).toBe(1);
    }
  });
});

function rowsOf(sample: SampleEntity | undefined): readonly SampleRow[] {
  return [...(sample?.rows() ?? [])];
}
