/** Queries written as code: their rows, the types of their rows, and their texts. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  add,
  and,
  asc,
  avg,
  count,
  desc,
  distinct,
  eq,
  exists,
  gt,
  isIn,
  lt,
  max,
  min,
  multiply,
  round,
  type Row,
  sum,
  upper,
  year,
} from '../../clients/typescript/src/index.js';
import type { Domain } from './domain.js';
import { databases, useSampleClient } from './sample-client.js';

describe.each(databases)('on %s', (database) => {
  const { db } = useSampleClient(database);

  test('a filtered query with an include has exactly typed rows', async () => {
    const id = 'BQWJR';
    const query = db.Orders.filter((o) => eq(o.customerId, id))
      .include((o) => o.details)
      .page(1, 2);
    const rows = await query.run();
    expectTypeOf(rows).toEqualTypeOf<
      {
        id: number;
        customerId: string;
        employeeId: number;
        orderDate: string | null;
        requiredDate: string | null;
        shippedDate: string | null;
        shipViaId: number | null;
        freight: number | null;
        name: string | null;
        address: string | null;
        city: string | null;
        region: string | null;
        postalCode: string | null;
        country: string | null;
        details: {
          orderId: number;
          productId: number;
          unitPrice: number | null;
          quantity: number | null;
          discount: number | null;
        }[];
      }[]
    >();
    expect(rows).toHaveLength(2);
    expect(rows[0]?.customerId).toBe(id);
    expect(rows[0]?.details[0]?.orderId).toBe(rows[0]?.id);
  });

  test('the text of one place in the code does not depend on the values', () => {
    const make = (customer: string, low: number | null, ids: number[]) =>
      db.Orders.filter((o) => and(eq(o.customerId, customer), gt(o.freight, low), isIn(o.id, ids)));
    const first = make('A', 1, [1]);
    expect(first.query).toBe('Orders.filter(a=>((a.customerId==$1)&&(a.freight>$2)&&in(a.id,$3)))');
    expect(first.data).toEqual({ $1: 'A', $2: 1, $3: [1] });
    expect(make("'; --", null, []).query).toBe(first.query);
  });

  describe('map', () => {
    test('takes a list, whose columns are named after properties, paths and functions', async () => {
      const rows = await db.Products.filter((p) => eq(p.id, 1))
        .map((p) => [p.id, p.supplier.city, upper(p.name)])
        .run();
      expectTypeOf(rows).toEqualTypeOf<
        { id: number; supplier_city: string | null; upper: string }[]
      >();
      expect(rows).toEqual([{ id: 1, supplier_city: 'Genève', upper: 'GRANDMA’S JALAPEÑO SAUCE' }]);
    });

    test('takes any text as the name of a column', async () => {
      const [row] = await db.Shippers.filter((s) => eq(s.id, 1))
        .map((s) => ({ 'the "name"': s.name, true: s.id }))
        .run();
      expect(row).toEqual({ 'the "name"': 'Swift Parcel', true: 1 });
    });

    test('takes one path, whose column is named after its end', async () => {
      const [row] = await db.Products.filter((p) => eq(p.id, 1))
        .map((p) => p.supplier.city)
        .run();
      expectTypeOf(row).toEqualTypeOf<{ city: string | null } | undefined>();
      expect(row).toEqual({ city: 'Genève' });
    });

    test('takes one column', async () => {
      const rows = await db.Shippers.map((s) => s.name)
        .sort((s) => s.name)
        .take(1)
        .run();
      expectTypeOf(rows).toEqualTypeOf<{ name: string }[]>();
      expect(rows).toEqual([{ name: "Porter's & Cie" }]);
    });

    test('takes an object of expressions, constants and relations', async () => {
      const rows = await db.Employees.filter((e) => eq(e.id, 9))
        .map((e) => ({
          who: e.lastName,
          boss: e.reportsTo.map((b) => b.lastName),
          bossName: e.reportsTo.lastName,
          next: add(e.id, 1),
          hired: year(e.hireDate),
          kind: 'staff',
        }))
        .run();
      expectTypeOf(rows).toEqualTypeOf<
        {
          who: string;
          boss: { lastName: string } | null;
          bossName: string | null;
          next: number;
          hired: number | null;
          kind: string;
        }[]
      >();
      expect(rows).toEqual([
        {
          who: 'Brandt',
          boss: { lastName: 'Okafor' },
          bossName: 'Okafor',
          next: 10,
          hired: expect.any(Number),
          kind: 'staff',
        },
      ]);
    });
  });

  test('groups are filtered and sorted by columns of the map', async () => {
    const rows = await db.Products.filter((p) => eq(p.discontinued, false))
      .map((p) => ({ category: p.category.name, products: count(), dearest: max(p.price) }))
      .having((p) => gt(p.products, 8))
      .sort((p) => [desc(count()), p.category])
      .run();
    expectTypeOf(rows).toEqualTypeOf<
      { category: string | null; products: number; dearest: number | null }[]
    >();
    expect(rows[0]).toEqual({ category: 'Dairy', products: 10, dearest: 93.4 });
  });

  test('included relations have clauses of their own', async () => {
    const rows = await db.Categories.filter((c) => lt(c.id, 3))
      .map((c) => c.name)
      .sort((c) => asc(c.name))
      .include((c) =>
        c.products
          .filter((p) => gt(p.price, 1))
          .sort((p) => desc(p.price))
          .take(1)
          .map((p) => [p.name, p.price])
          .include((p) => p.supplier.map((s) => s.city)),
      )
      .run();
    expectTypeOf(rows).toEqualTypeOf<
      {
        name: string;
        products: { name: string; price: number | null; supplier: { city: string | null } }[];
      }[]
    >();
    expect(rows[0]).toMatchObject({ name: 'Drinks', products: [{ name: 'Maître Ginger Ale' }] });
  });

  test('related rows are aggregated and tested', async () => {
    const rows = await db.Orders.filter((o) => exists(o.details, (d) => gt(d.quantity, 118)))
      .map((o) => ({
        id: o.id,
        lines: o.details.count(),
        large: o.details.filter((d) => gt(d.quantity, 100)).count(),
        worth: round(
          o.details.sum((d) => multiply(d.quantity, d.unitPrice)),
          1,
        ),
        most: o.details.sort((d) => desc(d.quantity)).first((d) => d.product.name),
      }))
      .sort((o) => o.id)
      .first()
      .run();
    expectTypeOf(rows).toEqualTypeOf<
      | { id: number; lines: number; large: number; worth: number | null; most: string | null }
      | undefined
    >();
    expect(rows).toMatchObject({ id: 1, lines: 2, large: 1, most: 'Alpine Rødspætte' });
  });

  test('the number of rows is counted', async () => {
    const discontinued = await db.Products.filter((p) => p.discontinued)
      .count()
      .run();
    expect(discontinued).toBe(8);
  });

  test('a row without a map has the type Row', async () => {
    const row = await db.Shippers.last().run();
    expectTypeOf(row).toEqualTypeOf<Row<Domain, 'Shippers'> | undefined>();
    expect(row?.name).toBe('みどり運送');
  });

  test('different rows are listed once', async () => {
    const rows = await db.Employees.distinct((e) => e.country)
      .sort((e) => e.country)
      .run();
    expect(rows).toEqual([{ country: 'UK' }, { country: 'USA' }]);
  });

  test('a sum groups by the other columns', async () => {
    const [row] = await db.Orders.map((o) => ({ total: sum(o.freight) })).run();
    expectTypeOf(row).toEqualTypeOf<{ total: number | null } | undefined>();
    expect(row?.total).toBeGreaterThan(0);
  });

  test('all aggregates are typed, over groups and over relations', async () => {
    const [all] = await db.Products.map((p) => ({
      rows: count(),
      sorted: count(p.categoryId),
      kinds: count(distinct(p.categoryId)),
      mean: round(avg(p.price), 2),
      first: min(p.name),
      total: sum(distinct(p.categoryId)),
    })).run();
    expectTypeOf(all).toEqualTypeOf<
      | {
          rows: number;
          sorted: number;
          kinds: number;
          mean: number | null;
          first: string | null;
          total: number | null;
        }
      | undefined
    >();
    expect(all).toMatchObject({ rows: 80, sorted: 78, kinds: 8, mean: 45.4, total: 36 });
    const [supplier] = await db.Suppliers.filter((s) => eq(s.id, 2))
      .map((s) => ({
        products: s.products.count((p) => p.id),
        mean: round(
          s.products.avg((p) => p.price),
          1,
        ),
        cheapest: s.products.min((p) => p.price),
        dearest: s.products.max((p) => p.price),
        last: s.products.sort((p) => p.id).last((p) => p.id),
        onShelf: s.products.filter((p) => gt(p.inStock, 0)).page(1, 1),
      }))
      .run();
    expectTypeOf(supplier?.last).toEqualTypeOf<number | null | undefined>();
    expect(supplier).toMatchObject({ products: 4, last: expect.any(Number) });
    expect(supplier?.onShelf).toHaveLength(1);
  });

  test('an entity can be named by a string', async () => {
    const [row] = await db
      .entity('Orders.details')
      .first()
      .run()
      .then((first) => [first]);
    expect(row?.orderId).toBe(1);
  });
});
