/**
 * The rows of the sample domain: a trading company like Northwind's, with invented data. A scale gives
 * the same rows on every machine. Each row is generated when it is needed, so that millions of them
 * take no memory.
 */
import { detailRows, type OrderScope, orderRow } from './sample/orders.js';
import { customerRow, supplierRow } from './sample/partners.js';
import { categoryRows, productRow, SUPPLIERS } from './sample/products.js';
import type { SampleRow } from './sample/row.js';
import words from './sample/words.json' with { type: 'json' };

export type { SampleRow } from './sample/row.js';

export interface SampleEntity {
  readonly entity: string;
  /** Starts from the first row at every call. */
  readonly rows: () => Iterable<SampleRow>;
}

const CUSTOMERS = 100;
const PRODUCTS = 80;
const ORDERS = 900;
/** A little beyond this scale, the customers' ids of five letters would run out. */
const SCALE_MAX = 100_000;

/**
 * The eight entities, in an order in which they can be inserted. `scale` is a whole number from 1 to
 * 100,000, which multiplies the number of customers, orders and details; its square root multiplies the
 * number of products.
 */
export function sampleEntities(scale = 1): readonly SampleEntity[] {
  if (!Number.isInteger(scale) || scale < 1 || scale > SCALE_MAX) {
    throw new RangeError(`The scale of the sample must be a whole number from 1 to ${SCALE_MAX}.`);
  }
  const scope: OrderScope = {
    orders: ORDERS * scale,
    customers: CUSTOMERS * scale,
    products: Math.round(PRODUCTS * Math.sqrt(scale)),
  };
  return [
    { entity: 'Categories', rows: () => categoryRows },
    numbered('Customers', scope.customers, customerRow),
    { entity: 'Employees', rows: () => words.employees },
    { entity: 'Shippers', rows: () => words.shippers },
    numbered('Suppliers', SUPPLIERS, supplierRow),
    numbered('Products', scope.products, productRow),
    numbered('Orders', scope.orders, (number) => orderRow(number, scope)),
    { entity: 'Orders.details', rows: () => allDetails(scope) },
  ];
}

/**
 * The sample as the text of an import document, one row at a time:
 * `{"entities": [{"entity": "Categories", "rows": […]}, …]}`.
 */
export function* sampleDocument(scale = 1): Generator<string> {
  let lead = '{"entities":[';
  for (const { entity, rows } of sampleEntities(scale)) {
    yield `${lead}{"entity":${JSON.stringify(entity)},"rows":[`;
    let comma = '';
    for (const row of rows()) {
      yield comma + JSON.stringify(row);
      comma = ',';
    }
    yield ']}';
    lead = ',';
  }
  yield ']}';
}

function numbered(entity: string, count: number, row: (number: number) => SampleRow): SampleEntity {
  return { entity, rows: () => fromOne(count, row) };
}

function* fromOne(count: number, row: (number: number) => SampleRow): Generator<SampleRow> {
  for (let number = 1; number <= count; number += 1) yield row(number);
}

function* allDetails(scope: OrderScope): Generator<SampleRow> {
  for (let number = 1; number <= scope.orders; number += 1) yield* detailRows(number, scope);
}
