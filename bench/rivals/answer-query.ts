/**
 * Careful hand-written code for the queries of the mixes: prepared statements, rows renamed by SQL,
 * and the details of all orders fetched at once. The hand-written servers use it, and the bench
 * checks all answers against it.
 */
import { selectFrom } from '../mixes/entities.js';
import type { BenchQuery } from '../mixes/queries.js';

export type Row = Record<string, unknown>;

/** A database, accessed through its driver. Prepared statements are kept by name. */
export interface HandWritten {
  rows(name: string, sql: string, values: readonly unknown[]): Promise<Row[]>;
  /** The number of rows that the statement changed. */
  change(name: string, sql: string, values: readonly unknown[]): Promise<number>;
  /** The details of these orders, sorted by order and product. */
  details(orderIds: readonly unknown[]): Promise<Row[]>;
  end(): Promise<void>;
}

const CUSTOMER = `${selectFrom('Customers')} WHERE CustomerID = $1`;

/** The answer as a JSON value. */
export async function answerQuery(
  database: HandWritten,
  { name, sql, parameters, answer }: BenchQuery,
  data: Readonly<Row>,
): Promise<unknown> {
  const values = parameters.map((parameter) => data[parameter] ?? null);
  switch (answer) {
    case 'rows':
      return database.rows(name, sql, values);
    case 'row':
      return (await database.rows(name, sql, values))[0];
    case 'count':
      return database.change(name, sql, values);
    case 'orders with details':
      return withDetails(database, await database.rows(name, sql, values));
    case 'orders with all':
      return withAll(database, await database.rows(name, sql, values));
  }
}

async function withDetails(database: HandWritten, orders: Row[]): Promise<Row[]> {
  const details = await database.details(orders.map((order) => order['id']));
  const byId = new Map<unknown, Row[]>(orders.map((order) => [order['id'], []]));
  for (const detail of details) byId.get(detail['orderId'])?.push(detail);
  for (const order of orders) order['details'] = byId.get(order['id']);
  return orders;
}

/** For orders by key, of which there is at most one. */
async function withAll(database: HandWritten, orders: Row[]): Promise<Row[]> {
  for (const order of orders) {
    const [customers, details] = await Promise.all([
      database.rows('customer', CUSTOMER, [order['customerId']]),
      database.details([order['id']]),
    ]);
    order['customer'] = customers[0];
    order['details'] = details;
  }
  return orders;
}
