/** Builds cases that differ only in one expression: a condition, or a value of each row. */
import type { ReadCase } from '../read-case.js';

type Data = Exclude<ReadCase['data'], undefined>;

/** An expression, the same in SQL, and the data. */
export type Pair = readonly [expression: string, sql: string, data?: Data];

/** A case for the ids of the products for which a condition holds. */
export function productsWhere([condition, sql, data]: Pair): ReadCase {
  return {
    query: `Products.filter(p=>${condition}).map(p=>p.id)`,
    sql: `SELECT productid AS id FROM products WHERE ${sql}`,
    ...(data !== undefined && { data }),
  };
}

/** A case for the ids of the orders for which a condition holds. */
export function ordersWhere([condition, sql, data]: Pair): ReadCase {
  return {
    query: `Orders.filter(p=>${condition}).map(p=>p.id)`,
    sql: `SELECT orderid AS id FROM orders WHERE ${sql}`,
    ...(data !== undefined && { data }),
  };
}

/** A case for a value of each of the first products. */
export function productsMap([expression, sql, data]: Pair): ReadCase {
  return {
    query: `Products.filter(p=>p.id<=40).map(p=>({r: ${expression}})).sort(p=>p.id)`,
    sql: `SELECT ${sql} AS r FROM products WHERE productid <= 40 ORDER BY productid`,
    ...(data !== undefined && { data }),
  };
}
