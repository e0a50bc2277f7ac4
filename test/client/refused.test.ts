/** Errors of the compiler: each line marked `@ts-expect-error` must be one. */
import { expect, test } from 'vitest';
import {
  add,
  and,
  createClient,
  eq,
  gt,
  isIn,
  like,
  upper,
} from '../../clients/typescript/src/index.js';
import type { Domain } from './domain.js';

const db = createClient<Domain>({ url: 'http://127.0.0.1:9' });

test('names that the domain does not have are refused', () => {
  // @ts-expect-error: there is no such entity.
  void db.Order;
  // @ts-expect-error: there is no such property.
  db.Orders.filter((o) => eq(o.custmerId, 'A'));
  // @ts-expect-error: a relation has other properties.
  db.Orders.map((o) => o.customer.freight);
  // @ts-expect-error: a relation to many has no single value.
  db.Customers.map((c) => c.orders.freight);
  expect(db.Orders.query).toBe('Orders');
});

test('operands of other types are refused', () => {
  // @ts-expect-error: an integer is not compared with a text.
  db.Orders.filter((o) => eq(o.id, 'A'));
  // @ts-expect-error: a text is not compared with a number.
  db.Orders.filter((o) => eq(o.customerId, 1));
  // @ts-expect-error: nor one column with another.
  db.Orders.filter((o) => eq(o.customerId, o.id));
  // @ts-expect-error: texts are not added.
  db.Orders.map((o) => ({ x: add(o.customerId, 1) }));
  // @ts-expect-error: a number has no upper case.
  db.Orders.map((o) => ({ x: upper(o.id) }));
  // @ts-expect-error: a pattern is a text.
  db.Orders.filter((o) => like(o.name, 1));
  // @ts-expect-error: the items of the list are texts.
  db.Orders.filter((o) => isIn(o.id, ['a']));
  // @ts-expect-error: a number is not a condition.
  db.Orders.filter((o) => o.id);
  // @ts-expect-error: nor is it an operand of and.
  db.Orders.filter((o) => and(o.id, gt(o.id, 1)));
  expect(db.Orders.map((o) => ({ x: add(o.id, 1) })).query).toBe('Orders.map(a=>({x:(a.id+$1)}))');
});

test('missing values and operators of JavaScript are refused', () => {
  const missing = { id: undefined };
  // @ts-expect-error: undefined is not a value.
  expect(() => db.Orders.filter((o) => eq(o.customerId, missing.id))).toThrow(
    'A value in a query is undefined.',
  );
  // @ts-expect-error: the operators of JavaScript compare proxies.
  expect(() => db.Orders.map((o) => ({ x: o.id + 1 }))).toThrow('use eq(a, b), add(a, b)');
});

test('rows that the entity cannot store are refused', () => {
  // @ts-expect-error: the name is missing.
  db.Categories.insert({ description: 'Hot' });
  // @ts-expect-error: the name is not null.
  db.Categories.insert({ name: null });
  // @ts-expect-error: there is no such property.
  db.Categories.insert({ name: 'Teas', colour: 'green' });
  // @ts-expect-error: rows are nested only in relations that are included.
  db.Categories.insert({ name: 'Teas', products: [] });
  // @ts-expect-error: an update needs the primary key.
  db.Categories.update({ name: 'Teas' });
  // @ts-expect-error: a query of some columns does not write.
  db.Categories.map((c) => c.name).insert({ name: 'Teas' });
  // @ts-expect-error: a filtered entity does not insert.
  db.Categories.filter((c) => eq(c.id, 1)).insert({ name: 'Teas' });
  expect(db.Categories.insert({ name: 'Teas' }).query).toBe('Categories.insert(row)');
});
