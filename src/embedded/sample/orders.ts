/** Generates orders and their lines, each from its number alone. */
import { customerRow } from './partners.js';
import { productPrice } from './products.js';
import { cyclic, type Random, randomOf } from './random.js';
import { type SampleRow, topics } from './row.js';
import words from './words.json' with { type: 'json' };

/** How many orders there are, and how many rows they can refer to. */
export interface OrderScope {
  readonly orders: number;
  readonly customers: number;
  readonly products: number;
}

const FIRST_DAY = Date.UTC(2021, 0, 4);
const DAYS = 5 * 365;
const DAY_MS = 86_400_000;
/** The longest time until an order is shipped; some of the last orders are not shipped yet. */
const SHIPPING_DAYS = 21;

/** The number of lines of an order, by the order's number: 24 in 9 orders, 2,400 in 900. */
const lineCounts = [1, 2, 2, 3, 3, 3, 2, 4, 4] as const;
const discounts = [0, 0, 0, 0, 0.05, 0.1, 0.15, 0.2, 0.25] as const;

/** The order of that number, counted from 1. Later orders have later dates. */
export function orderRow(number: number, scope: OrderScope): SampleRow {
  const random = randomOf(topics.order, number);
  const customer = customerRow(chooseCustomer(random, scope.customers));
  const day = Math.floor(((number - 1) * DAYS) / scope.orders);
  const shippedDay = day + random.between(1, SHIPPING_DAYS);
  const isShipped = shippedDay < DAYS && !random.chance(2);
  return {
    id: number,
    customerId: customer['id'] ?? null,
    employeeId: random.between(1, words.employees.length),
    orderDate: moment(day, random.below(DAY_MS)),
    requiredDate: date(day + random.pick([14, 28, 28, 28, 42])),
    shippedDate: isShipped ? date(shippedDay) : null,
    shipViaId: random.chance(2) ? null : random.between(1, words.shippers.length),
    freight: random.between(2, 40_000) / 100,
    name: customer['name'] ?? null,
    address: customer['address'] ?? null,
    city: customer['city'] ?? null,
    region: customer['region'] ?? null,
    postalCode: customer['postalCode'] ?? null,
    country: customer['country'] ?? null,
  };
}

/** The lines of the order of that number, each with another product. */
export function* detailRows(number: number, scope: OrderScope): Generator<SampleRow> {
  const random = randomOf(topics.details, number);
  const first = random.below(scope.products);
  // Even four steps stay below the number of products, so no product repeats.
  const step = random.between(1, 19);
  const lines = cyclic(lineCounts, number);
  for (let line = 0; line < lines; line += 1) {
    const productId = ((first + line * step) % scope.products) + 1;
    yield {
      orderId: number,
      productId,
      unitPrice: productPrice(productId),
      quantity: random.between(1, 120),
      discount: random.pick(discounts),
    };
  }
}

/** The lesser of two random numbers, so that the first customers order more often than the last. */
function chooseCustomer(random: Random, customers: number): number {
  return Math.min(random.below(customers), random.below(customers)) + 1;
}

function moment(day: number, milliseconds: number): string {
  return new Date(FIRST_DAY + day * DAY_MS + milliseconds).toISOString();
}

function date(day: number): string {
  return new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
}
