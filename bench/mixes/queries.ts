/**
 * The queries of the mixes: the expression for Rowgate, the statement that one would write by hand,
 * and the values that pgbench puts into Rowgate's own statement.
 */
import { CUSTOMER_FIRST, CUSTOMERS, ORDERS, PRODUCTS } from '../rows.js';
import { type EntityName, insertInto, keyColumnOf, propertiesOf, selectFrom } from './entities.js';

export interface BenchQuery {
  /** The name of the prepared statement. */
  readonly name: string;
  readonly expression: string;
  /** With the placeholders `$1`, `$2`, … */
  readonly sql: string;
  /** The members of the data that are the values of the placeholders. */
  readonly parameters: readonly string[];
  readonly answer: 'rows' | 'row' | 'count' | 'orders with details' | 'orders with all';
  /** Whether the order of the rows is part of the answer. */
  readonly isSorted?: true;
  readonly pgbench: PgbenchValues;
}

/** How pgbench runs a query. */
export interface PgbenchValues {
  /** Variables and their expressions, in the order in which they are set. */
  readonly set: Readonly<Record<string, string>>;
  /** The values of the placeholders: first of the query's statement, then of its includes. */
  readonly values: readonly (readonly string[])[];
}

const PRODUCT_ID = { id: `random(1, ${PRODUCTS})` };
const ORDER_ID = { id: `random(1, ${ORDERS})` };
const CUSTOMER_ID = { id: `random(${CUSTOMER_FIRST}, ${CUSTOMER_FIRST + CUSTOMERS - 1})` };
const BY_KEY = [[':id']];

/** The number of rows that a request of `rows` reads. */
export const RANGE_ROWS = 50;

/**
 * Few enough that each row is updated often, but no database writes a value that is already stored.
 */
export const UPDATED_ORDERS = 5000;

export const POINT: BenchQuery = {
  name: 'point',
  expression: 'Products.filter(p=>p.id==id)',
  sql: `${selectFrom('Products')} WHERE ProductID = $1`,
  parameters: ['id'],
  answer: 'rows',
  pgbench: { set: PRODUCT_ID, values: BY_KEY },
};

export const JOIN: BenchQuery = {
  name: 'join',
  expression:
    'Products.filter(p=>p.id==id).map(p=>({id:p.id,name:p.name,price:p.price,category:p.category.name,supplier:p.supplier.name}))',
  sql: `SELECT ProductID AS "id", ProductName AS "name", UnitPrice AS "price",
    c.CategoryName AS "category", s.CompanyName AS "supplier" FROM Products p
    LEFT JOIN Categories c ON c.CategoryID = p.CategoryID
    JOIN Suppliers s ON s.SupplierID = p.SupplierID WHERE p.ProductID = $1`,
  parameters: ['id'],
  answer: 'rows',
  pgbench: { set: PRODUCT_ID, values: BY_KEY },
};

export const LIST: BenchQuery = {
  name: 'list',
  expression: 'Orders.filter(p=>p.customerId==customerId).sort(p=>desc(p.orderDate)).page(1,10)',
  sql: `${selectFrom('Orders')} WHERE CustomerID = $1 ORDER BY OrderDate DESC LIMIT 10`,
  parameters: ['customerId'],
  answer: 'rows',
  isSorted: true,
  pgbench: { set: CUSTOMER_ID, values: BY_KEY },
};

export const ROWS = rangeOf('rows', RANGE_ROWS);

/** The number of rows that a request of `long` reads: about 80 KB of JSON. */
export const LONG_ROWS = 500;

export const LONG = rangeOf('long', LONG_ROWS);

/** This many products by a range of keys. */
function rangeOf(name: string, rows: number): BenchQuery {
  return {
    name,
    expression: `Products.filter(p=>p.id>=id && p.id<id+${rows})`,
    sql: `${selectFrom('Products')} WHERE ProductID >= $1 AND ProductID < $1 + ${rows}`,
    parameters: ['id'],
    answer: 'rows',
    pgbench: { set: { id: `random(1, ${PRODUCTS - rows})` }, values: [[':id', ':id']] },
  };
}

export const PAGE: BenchQuery = {
  name: 'page',
  expression: 'Orders.filter(p=>p.customerId==customerId).sort(p=>p.id).after(cursor).take(10)',
  sql: `${selectFrom('Orders')} WHERE CustomerID = $1 ORDER BY OrderID LIMIT 10`,
  parameters: ['customerId'],
  answer: 'rows',
  isSorted: true,
  pgbench: { set: CUSTOMER_ID, values: BY_KEY },
};

export const COUNT: BenchQuery = {
  name: 'count',
  expression: 'Orders.filter(p=>p.customerId==customerId).count()',
  sql: `SELECT count(*) AS "count" FROM Orders WHERE CustomerID = $1`,
  parameters: ['customerId'],
  answer: 'rows',
  pgbench: { set: CUSTOMER_ID, values: BY_KEY },
};

export const GROUP: BenchQuery = {
  name: 'group',
  expression:
    'Orders.filter(p=>p.customerId==customerId).map(p=>({shipViaId:p.shipViaId,orders:count(1),freight:sum(p.freight)}))',
  sql: `SELECT ShipVia AS "shipViaId", count(*) AS "orders", sum(Freight) AS "freight"
    FROM Orders WHERE CustomerID = $1 GROUP BY ShipVia`,
  parameters: ['customerId'],
  answer: 'rows',
  pgbench: { set: CUSTOMER_ID, values: BY_KEY },
};

export const PARENT: BenchQuery = {
  name: 'parent',
  expression: 'Orders.filter(p=>p.id==id).include(p=>[p.customer,p.details])',
  sql: `${selectFrom('Orders')} WHERE OrderID = $1`,
  parameters: ['id'],
  answer: 'orders with all',
  pgbench: {
    set: { ...ORDER_ID, customer: `${CUSTOMER_FIRST} + (:id - 1) % ${CUSTOMERS}` },
    values: [[':id'], ['ARRAY[:customer]'], ['ARRAY[:id]']],
  },
};

/** The distance between two orders of the same customer. */
const ordersOfCustomer = Array.from(
  { length: ORDERS / CUSTOMERS },
  (_, index) => `:order + ${index * CUSTOMERS}`,
);

export const INCLUDE: BenchQuery = {
  name: 'include',
  expression: 'Orders.filter(p=>p.customerId==customerId).include(p=>p.details)',
  sql: `${selectFrom('Orders')} WHERE CustomerID = $1`,
  parameters: ['customerId'],
  answer: 'orders with details',
  pgbench: {
    set: { ...CUSTOMER_ID, order: `:id - ${CUSTOMER_FIRST} + 1` },
    values: [[':id'], [`ARRAY[${ordersOfCustomer.join(', ')}]`]],
  },
};

const given = propertiesOf('Orders').slice(1);

export const INSERT: BenchQuery = {
  name: 'insert',
  expression: 'Orders.insert()',
  sql: insertInto('Orders', given),
  parameters: given,
  answer: 'row',
  pgbench: {
    set: { ...CUSTOMER_ID, employee: 'random(1, 9)', freight: 'random(0, 9999)' },
    values: [
      [
        ...[':id', ':employee', 'NULL', 'NULL', 'NULL', 'NULL', ':freight', "'Order'", 'NULL'],
        ...["'Lisboa'", 'NULL', "'1000-100'", "'Portugal'"],
      ],
    ],
  },
};

export const UPDATE: BenchQuery = {
  name: 'update',
  expression: 'Orders.update({freight:freight}).filter(p=>p.id==id)',
  sql: 'UPDATE Orders SET Freight = $1 WHERE OrderID = $2',
  parameters: ['freight', 'id'],
  answer: 'count',
  pgbench: {
    set: { id: `random(1, ${UPDATED_ORDERS})`, freight: 'random(0, 9999)' },
    values: [[':freight', ':id']],
  },
};

/** An order as it is stored, to check writes. Only the bench itself uses it. */
export const STORED_ORDER: BenchQuery = { ...PARENT, name: 'stored', answer: 'rows' };

const PLAN_COUNT = 128;
const PLAN_PROPERTIES_MIN = 2;
const PLAN_ENTITIES = [
  { entity: 'Products', set: PRODUCT_ID },
  { entity: 'Orders', set: ORDER_ID },
  { entity: 'Customers', set: CUSTOMER_ID },
] as const satisfies readonly { readonly entity: EntityName; readonly set: { id: string } }[];

/** Reads by key of one of three entities. */
export interface KeyQuery extends BenchQuery {
  readonly entity: (typeof PLAN_ENTITIES)[number]['entity'];
}

/** Reads by key of the entities in turn; no two return the same properties. */
export const PLANS: readonly KeyQuery[] = Array.from({ length: PLAN_COUNT }, (_, index) => {
  const { entity, set } = PLAN_ENTITIES[index % PLAN_ENTITIES.length] ?? PLAN_ENTITIES[0];
  const shown = propertiesOfPlan(entity, Math.floor(index / PLAN_ENTITIES.length));
  const map = shown.map((property) => `p.${property}`).join(',');
  return {
    name: `plan${index}`,
    entity,
    expression: `${entity}.filter(p=>p.id==id).map(p=>[${map}])`,
    sql: `${selectFrom(entity, shown)} WHERE ${keyColumnOf(entity)} = $1`,
    parameters: ['id'],
    answer: 'rows',
    pgbench: { set, values: BY_KEY },
  };
});

/** The key and the following ones, starting at another key for each number. */
function propertiesOfPlan(entity: EntityName, number: number): readonly string[] {
  const [key, ...others] = propertiesOf(entity);
  const start = number % others.length;
  const count = PLAN_PROPERTIES_MIN + Math.floor(number / others.length);
  const shown = [...others, ...others].slice(start, start + count);
  return key === undefined ? shown : [key, ...shown];
}

const MANY_COUNT = 2000;
/** More than any product costs. */
const PRICE_MAX = 100_000;

/** Reads by key whose texts differ by a number, as of clients that write values into their queries. */
export const MANY: readonly BenchQuery[] = Array.from({ length: MANY_COUNT }, (_, index) => ({
  name: `many${index}`,
  expression: `Products.filter(p=>p.id==id && p.price<${PRICE_MAX + index})`,
  sql: `${selectFrom('Products')} WHERE ProductID = $1 AND UnitPrice < ${PRICE_MAX + index}`,
  parameters: ['id'],
  answer: 'rows',
  pgbench: { set: PRODUCT_ID, values: BY_KEY },
}));

/** All queries that are sent to the servers. */
export const QUERIES: readonly BenchQuery[] = [
  ...[POINT, JOIN, LIST, PAGE, ROWS, LONG, COUNT, GROUP, PARENT, INCLUDE, INSERT, UPDATE],
  ...PLANS,
  ...MANY,
];
