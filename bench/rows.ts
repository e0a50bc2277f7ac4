/** The rows that all cases read, made by the database itself: the same ones on every machine. */
import { type DatabaseConnection, withClient } from './database.js';

export const PRODUCTS = 10_000;
export const CUSTOMERS = 1000;
/** The ids of customers are numbers as texts, so that pgbench can make them, too: from this one on. */
export const CUSTOMER_FIRST = 10_001;
export const ORDERS = CUSTOMERS * 20;
const DETAILS_PER_ORDER = 3;

/** How many rows there are of what is read. */
export interface RowCounts {
  readonly products: number;
  readonly orders: number;
}

/** The statements that make the rows; the tables of the sample domain are there and empty. */
export function rowStatements({ products, orders }: RowCounts): readonly string[] {
  return [...referredTo, productRows(products), ...orderRows(products, orders), ...endStatements];
}

const referredTo = [
  `INSERT INTO Categories (CategoryID, CategoryName, Description)
   SELECT n, 'Category ' || n, 'All goods of the kind ' || n FROM generate_series(1, 8) AS n`,
  `INSERT INTO Suppliers (SupplierID, CompanyName, ContactName, Address, City, Country)
   SELECT n, 'Supplier ' || n, 'Contact ' || n, n || ' Dock Street', 'Porto', 'Portugal'
   FROM generate_series(1, 50) AS n`,
  `INSERT INTO Shippers (ShipperID, CompanyName) SELECT n, 'Shipper ' || n
   FROM generate_series(1, 3) AS n`,
  `INSERT INTO Employees (EmployeeID, LastName, FirstName)
   SELECT n, 'Last ' || n, 'First ' || n FROM generate_series(1, 9) AS n`,
  `INSERT INTO Customers (CustomerID, CompanyName, ContactName, Address, City, PostalCode, Country)
   SELECT ${CUSTOMER_FIRST - 1} + n, 'Customer ' || n, 'Contact ' || n, n || ' High Street',
     'Lisboa', to_char(n, 'FM0000') || '-100', 'Portugal' FROM generate_series(1, ${CUSTOMERS}) AS n`,
];

function productRows(products: number): string {
  return `INSERT INTO Products (ProductID, ProductName, SupplierID, CategoryID, QuantityPerUnit, UnitPrice,
     UnitsInStock, UnitsOnOrder, ReorderLevel, Discontinued)
   SELECT n, 'Product ' || n, 1 + n % 50, CASE WHEN n % 40 > 0 THEN 1 + n % 8 END,
     (1 + n % 24) || ' × ' || (n % 9 * 100) || ' g', (n * 37 % 10000)::numeric / 100, n % 120,
     n % 7 * 10, n % 5 * 5, n % 10 = 0 FROM generate_series(1, ${products}) AS n`;
}

function orderRows(products: number, orders: number): readonly string[] {
  return [
    `INSERT INTO Orders (OrderID, CustomerID, EmployeeID, OrderDate, RequiredDate, ShippedDate, ShipVia,
     Freight, ShipName, ShipAddress, ShipCity, ShipRegion, ShipPostalCode, ShipCountry)
   SELECT n, ${CUSTOMER_FIRST} + (n - 1) % ${CUSTOMERS}, 1 + n % 9,
     timestamp '2022-01-01 08:00' + n * interval '37 minutes 11.5 seconds',
     date '2022-01-15' + n / 40, CASE WHEN n % 25 > 0 THEN date '2022-01-06' + n / 40 END,
     1 + n % 3, (n * 13 % 50000)::numeric / 100, 'Customer ' || n, n || ' High Street', 'Lisboa',
     NULL, '1000-100', 'Portugal'
   FROM generate_series(1, ${orders}) AS n`,
    // Inserts of the bench go on behind these.
    `SELECT setval(pg_get_serial_sequence('Orders', 'orderid'), ${orders})`,
    `INSERT INTO "Order Details" (OrderID, ProductID, UnitPrice, Quantity, Discount)
   SELECT o, 1 + (o * 7 + d * 1013) % ${products}, (o * 37 % 10000)::numeric / 100, 1 + (o + d) % 20,
     (o % 4)::numeric / 20 FROM generate_series(1, ${orders}) AS o,
     generate_series(1, ${DETAILS_PER_ORDER}) AS d`,
  ];
}

const endStatements = [
  'VACUUM ANALYZE',
  // Whatever was written is out of the way before anything is timed.
  'CHECKPOINT',
];

/** Loads the rows into the tables of the sample domain, which are there and empty. */
export async function loadRows(connection: DatabaseConnection): Promise<void> {
  await withClient(connection, async (client) => {
    const counts = { products: PRODUCTS, orders: ORDERS };
    for (const statement of rowStatements(counts)) await client.query(statement);
  });
}

/** The id of the customer with this number, from 1. */
export function customerId(number: number): string {
  return String(CUSTOMER_FIRST - 1 + number);
}
