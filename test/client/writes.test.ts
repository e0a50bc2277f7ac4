/** Writes and transactions through the client. */
import { randomUUID } from 'node:crypto';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { eq, multiply, ProblemError, type Row } from '../../clients/typescript/src/index.js';
import type { Domain } from './domain.js';
import { databases, useSampleClient } from './sample-client.js';

describe.each(databases)('on %s', (database) => {
  const { db, texts } = useSampleClient(database);

  test('an insert returns the row as stored', async () => {
    const stored = await db.Categories.insert({ name: 'Teas' }).run();
    expectTypeOf(stored).toEqualTypeOf<Row<Domain, 'Categories'>>();
    expect(stored).toEqual({ id: expect.any(Number), name: 'Teas', description: null });
  });

  test('rows of included relations are nested', async () => {
    const order = await db.Orders.include((o) => o.details)
      .insert({
        customerId: 'BQWJR',
        employeeId: 1,
        orderDate: new Date('2026-01-02T03:04:05Z'),
        details: [{ productId: 1, unitPrice: '12.50', quantity: 3n }],
      })
      .run();
    expectTypeOf(order.details[0]).toEqualTypeOf<Row<Domain, 'Orders.details'> | undefined>();
    expect(order).toMatchObject({ orderDate: '2026-01-02T03:04:05.000Z' });
    expect(order.details).toEqual([
      { orderId: order.id, productId: 1, unitPrice: 12.5, quantity: 3, discount: null },
    ]);
    const changed = await db.Orders.include((o) => o.details)
      .update({
        id: order.id,
        name: 'Changed',
        details: [{ orderId: order.id, productId: 1, quantity: 4 }],
      })
      .run();
    expect(changed).toBe(1);
    const read = await db.Orders.filter((o) => eq(o.id, order.id))
      .map((o) => o.name)
      .include((o) => o.details.map((d) => d.quantity))
      .run();
    expect(read).toEqual([{ name: 'Changed', details: [{ quantity: 4 }] }]);
    const removed = await db.Orders.filter((o) => eq(o.id, order.id))
      .include((o) => o.details)
      .delete()
      .run();
    expect(removed).toBe(1);
  });

  test('a parent is stored before the row that refers to it', async () => {
    const stored = await db.Products.include((p) => [p.supplier, p.category])
      .insert({ name: 'Mocha', supplier: { name: 'Roasters' }, category: { name: 'Coffees' } })
      .run();
    expect(stored).toMatchObject({
      supplierId: stored.supplier?.id,
      categoryId: stored.category?.id,
    });
  });

  test('a row that the data does not nest is answered as null', async () => {
    const stored = await db.Orders.include((o) => [o.employee, o.details.include((d) => d.product)])
      .insert({
        customerId: 'BQWJR',
        employeeId: 1,
        details: [{ productId: 1 }],
      })
      .run();
    expectTypeOf(stored.employee).toEqualTypeOf<Row<Domain, 'Employees'> | null>();
    expectTypeOf(stored.details[0]?.product).toEqualTypeOf<
      Row<Domain, 'Products'> | null | undefined
    >();
    expect([stored.employee, stored.details[0]?.product]).toEqual([null, null]);
    const [upserted] = await db.Products.include((p) => p.supplier)
      .bulkUpsert([{ id: 1, name: 'Sauce', supplierId: 1 }])
      .run();
    expectTypeOf(upserted?.supplier).toEqualTypeOf<Row<Domain, 'Suppliers'> | null | undefined>();
    expect(upserted?.supplier).toBe(null);
  });

  test('lists of rows are inserted and upserted', async () => {
    const rows = await db.Shippers.bulkInsert([{ name: 'One' }, { name: 'Two', phone: '2' }]).run();
    expectTypeOf(rows).toEqualTypeOf<Row<Domain, 'Shippers'>[]>();
    expect(rows.map(({ name }) => name)).toEqual(['One', 'Two']);
    const [one] = rows;
    const again = await db.Shippers.bulkUpsert([
      { name: 'One', phone: '1' },
      { name: 'Three' },
    ]).run();
    expect(again[0]).toEqual({ id: one?.id, name: 'One', phone: '1' });
    const upserted = await db.Shippers.upsert({ name: 'Two', phone: '22' }).run();
    expect(upserted).toEqual({ id: rows[1]?.id, name: 'Two', phone: '22' });
  });

  test('rows of a filter are updated, by values and by expressions', async () => {
    const values = db.Products.filter((p) => eq(p.id, 2)).update({ inStock: 7, quantity: null });
    expect(values.query).toBe('Products.update(row).filter(a=>(a.id==$1))');
    expect(await values.run()).toBe(1);
    const factor = 2;
    const computed = db.Products.filter((p) => eq(p.id, 2)).update((p) => ({
      inStock: multiply(p.inStock, factor),
      discontinued: true,
    }));
    expect(computed.query).toBe(
      'Products.update(a=>({inStock:(a.inStock*$1),discontinued:$2})).filter(a=>(a.id==$3))',
    );
    expect(await computed.run()).toBe(1);
    const [row] = await db.Products.filter((p) => eq(p.id, 2))
      .map((p) => [p.inStock, p.quantity, p.discontinued])
      .run();
    expect(row).toEqual({ inStock: 14, quantity: null, discontinued: true });
  });

  test('all rows are updated and deleted', async () => {
    const { id } = await db.Orders.insert({ customerId: 'BQWJR', employeeId: 1 }).run();
    expect(await db['Orders.details'].updateAll({ discount: 0 }).run()).toBeGreaterThan(1000);
    expect(
      await db['Orders.details'].updateAll((d) => ({ discount: d.discount })).run(),
    ).toBeGreaterThan(1000);
    expect(await db['Orders.details'].deleteAll().run()).toBeGreaterThan(1000);
    expect(await db.Orders.delete({ id }).run()).toBe(1);
  });

  test('a transaction returns the answers of its steps, which can refer to earlier ones', async () => {
    const category = db.Categories.insert({ name: 'Spreads' });
    const product = db.Products.filter((p) => eq(p.id, 3));
    const [stored, changed, found, many] = await db.transaction([
      category,
      product.update({ categoryId: category.ref('id') }),
      product.map((p) => p.categoryId).first(),
      db.Categories.count(),
    ]);
    expectTypeOf(stored).toEqualTypeOf<Row<Domain, 'Categories'>>();
    expectTypeOf(changed).toEqualTypeOf<number>();
    expectTypeOf(found).toEqualTypeOf<{ categoryId: number | null } | undefined>();
    expectTypeOf(many).toEqualTypeOf<number>();
    expect(changed).toBe(1);
    expect(found).toEqual({ categoryId: stored.id });
    expect(many).toBeGreaterThan(8);
  });

  test('references lead into the rows of a step', async () => {
    const dearest = db.Products.sort((p) => p.id).first();
    const [, , renamed] = await db.transaction([
      dearest,
      db.Categories.filter((c) => eq(c.id, dearest.ref('categoryId'))).update({
        description: 'Its',
      }),
      db.Categories.filter((c) => eq(c.description, 'Its')).count(),
    ]);
    expect(renamed).toBe(1);
  });

  test('a failed step is named, and nothing is stored', async () => {
    const steps = [
      db.Categories.insert({ name: 'Lost' }),
      db.Categories.insert({ name: 'Lost' }),
    ] as const;
    const error = await db.transaction(steps).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'unique-violation', status: 409, problem: { step: 1 } });
    expect(
      await db.Categories.filter((c) => eq(c.name, 'Lost'))
        .count()
        .run(),
    ).toBe(0);
  });

  test('a read-only transaction refuses to write', async () => {
    const step = db.Categories.insert({ name: 'Refused' });
    const refused = db.transaction([step], { readOnly: true, isolation: 'serializable' });
    await expect(refused).rejects.toMatchObject({ code: 'write-in-read-only' });
  });

  test('a reference outside its transaction is refused before anything is sent', async () => {
    const category = db.Categories.insert({ name: 'Nowhere' });
    const product = db.Products.filter((p) => eq(p.id, 1)).update({
      categoryId: category.ref('id'),
    });
    texts();
    await expect(product.run()).rejects.toThrow('ref() refers to an earlier step');
    await expect(db.transaction([product])).rejects.toThrow('another transaction');
    expect(texts()).toEqual([]);
  });

  test('a write with an idempotency key is executed once', async () => {
    const write = db.Categories.insert({ name: 'Once' });
    const idempotencyKey = randomUUID();
    const first = await write.run({ idempotencyKey });
    expect(await write.run({ idempotencyKey })).toEqual(first);
    expect(
      await db.Categories.filter((c) => eq(c.name, 'Once'))
        .count()
        .run(),
    ).toBe(1);
  });

  test('everything that is wrong with a row is listed', async () => {
    const error = await db.Customers.insert({
      id: 'TOOLONG',
      name: 'x',
      postalCode: 'y'.repeat(30),
    })
      .run()
      .catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      name: 'ProblemError',
      code: 'constraint-unmet',
      status: 422,
      problem: {
        errors: [
          { message: expect.any(String), place: 'data.row.id' },
          { message: expect.any(String), place: 'data.row.postalCode' },
        ],
      },
    });
  });
});
