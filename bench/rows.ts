/**
 * The rows that all cases read. The database itself generates them, and they are the same on every
 * machine.
 */
import type { Dialect } from './database.js';

export const PRODUCTS = 10_000;
export const CUSTOMERS = 1000;
/**
 * The ids of customers are numbers as text, so that pgbench can generate them. This is the first
 * one.
 */
export const CUSTOMER_FIRST = 10_001;
export const ORDERS = CUSTOMERS * 20;
const DETAILS_PER_ORDER = 3;

/** The numbers of generated rows. */
export interface RowCounts {
  readonly products: number;
  readonly orders: number;
}

/** The differences between the databases. Names in SQL refer to columns of a series. */
interface RowDialect {
  /** A table of the numbers from 1 to `count`, with one column of this name. */
  readonly series: (column: string, count: number) => string;
  /** The instant of the first order plus this many times 37 minutes. */
  readonly orderedAt: (times: string) => string;
  /** The date plus a fortieth of this many days. */
  readonly dayAfter: (date: string, days: string) => string;
  readonly before: readonly string[];
  readonly after: (counts: RowCounts) => readonly string[];
}

const dialects: Readonly<Record<Dialect, RowDialect>> = {
  PostgreSQL: {
    series: (column, count) => `generate_series(1, ${count}) AS ${column}`,
    orderedAt: (times) =>
      `timestamp '2022-01-01 08:00' + ${times} * interval '37 minutes 11.5 seconds'`,
    dayAfter: (date, days) => `date '${date}' + ${days} / 40`,
    before: [],
    after: ({ orders }) => [
      // Inserts of the bench continue after these ids.
      `SELECT setval(pg_get_serial_sequence('Orders', 'orderid'), ${orders})`,
      'VACUUM ANALYZE',
      // Earlier writes must not affect the measurements.
      'CHECKPOINT',
    ],
  },
  MariaDB: {
    series: (column, count) => `(SELECT seq AS ${column} FROM seq_1_to_${count}) AS of_${column}`,
    orderedAt: (times) => `'2022-01-01 08:00' + INTERVAL ${times} * 2231500000 MICROSECOND`,
    dayAfter: (date, days) => `'${date}' + INTERVAL ${days} DIV 40 DAY`,
    before: [
      "SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_TRANS_TABLES', foreign_key_checks = 0",
    ],
    after: () => ['ANALYZE TABLE Customers, Orders, Products, "Order Details"'],
  },
};

/** The statements that insert the rows into the empty tables of the sample domain. */
export function rowStatements(dialect: Dialect, counts: RowCounts): readonly string[] {
  const { before, after } = dialects[dialect];
  return [...before, ...inserts(dialects[dialect], counts), ...after(counts)];
}

function inserts(
  { series, orderedAt, dayAfter }: RowDialect,
  { products, orders }: RowCounts,
): readonly string[] {
  return [
    `INSERT INTO Categories (CategoryID, CategoryName, Description)
     SELECT n, 'Category ' || n, 'All goods of the kind ' || n FROM ${series('n', 8)}`,
    `INSERT INTO Suppliers (SupplierID, CompanyName, ContactName, Address, City, Country)
     SELECT n, 'Supplier ' || n, 'Contact ' || n, n || ' Dock Street', 'Porto', 'Portugal'
     FROM ${series('n', 50)}`,
    `INSERT INTO Shippers (ShipperID, CompanyName) SELECT n, 'Shipper ' || n FROM ${series('n', 3)}`,
    `INSERT INTO Employees (EmployeeID, LastName, FirstName)
     SELECT n, 'Last ' || n, 'First ' || n FROM ${series('n', 9)}`,
    `INSERT INTO Customers (CustomerID, CompanyName, ContactName, Address, City, PostalCode, Country)
     SELECT ${CUSTOMER_FIRST - 1} + n, 'Customer ' || n, 'Contact ' || n, n || ' High Street',
       'Lisboa', n || '-100', 'Portugal' FROM ${series('n', CUSTOMERS)}`,
    `INSERT INTO Products (ProductID, ProductName, SupplierID, CategoryID, QuantityPerUnit, UnitPrice,
       UnitsInStock, UnitsOnOrder, ReorderLevel, Discontinued)
     SELECT n, 'Product ' || n, 1 + n % 50, CASE WHEN n % 40 > 0 THEN 1 + n % 8 END,
       (1 + n % 24) || ' × ' || (n % 9 * 100) || ' g', (n * 37 % 10000) / 100.0, n % 120,
       n % 7 * 10, n % 5 * 5, n % 10 = 0 FROM ${series('n', products)}`,
    `INSERT INTO Orders (OrderID, CustomerID, EmployeeID, OrderDate, RequiredDate, ShippedDate,
       ShipVia, Freight, ShipName, ShipAddress, ShipCity, ShipRegion, ShipPostalCode, ShipCountry)
     SELECT n, ${CUSTOMER_FIRST} + (n - 1) % ${CUSTOMERS}, 1 + n % 9, ${orderedAt('n')},
       ${dayAfter('2022-01-15', 'n')}, CASE WHEN n % 25 > 0 THEN ${dayAfter('2022-01-06', 'n')} END,
       1 + n % 3, (n * 13 % 50000) / 100.0, 'Customer ' || n, n || ' High Street', 'Lisboa',
       NULL, '1000-100', 'Portugal' FROM ${series('n', orders)}`,
    `INSERT INTO "Order Details" (OrderID, ProductID, UnitPrice, Quantity, Discount)
     SELECT o, 1 + (o * 7 + d * 1013) % ${products}, (o * 37 % 10000) / 100.0, 1 + (o + d) % 20,
       (o % 4) / 20.0 FROM ${series('o', orders)}, ${series('d', DETAILS_PER_ORDER)}`,
  ];
}

/** The id of the customer with this number, counted from 1. */
export function customerId(number: number): string {
  return String(CUSTOMER_FIRST - 1 + number);
}
