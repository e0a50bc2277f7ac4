/** A test database with two products and two orders: one of each has values, and one has nulls. */
import pg from 'pg';
import { createThrowawayDatabase } from '../../support/embedded.js';

/** A connection with the settings of every session of Rowgate. */
export interface TestDatabase {
  readonly client: pg.Client;
  stop(): Promise<void>;
}

/** Some names contain characters that patterns and comparisons could misinterpret. */
const tables = `
  CREATE TABLE Products (ProductID int PRIMARY KEY, ProductName varchar(80), SupplierID int,
    CategoryID int, QuantityPerUnit varchar(80), UnitPrice numeric, UnitsInStock numeric,
    UnitsOnOrder numeric, ReorderLevel numeric, Discontinued bool);
  INSERT INTO Products VALUES
    (1, 'Chai', 1, 1, '10 boxes x 20 bags', 18.00, 39, 0, 10, false),
    (2, '100%_\\ "Ćevapi" 😀', 1, NULL, NULL, NULL, 17.5, -40.50, 25, true);
  CREATE TABLE Orders (OrderID int PRIMARY KEY, CustomerID varchar(5), EmployeeID int,
    OrderDate timestamptz, RequiredDate date, ShippedDate date, ShipVia int, Freight numeric,
    ShipName varchar(80), ShipAddress varchar(80), ShipCity varchar(80), ShipRegion varchar(80),
    ShipPostalCode varchar(20), ShipCountry varchar(80));
  INSERT INTO Orders (OrderID, CustomerID, EmployeeID, OrderDate, RequiredDate, ShippedDate, Freight)
    VALUES (1, 'VINET', 5, '1996-07-03 22:00:00.123+00', '1996-07-31', '1996-07-15', 32.38),
      (2, 'TOMSP', 6, NULL, NULL, NULL, NULL);
`;

/** Creates a database with those rows. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const { connection, drop } = await createThrowawayDatabase();
  const options = '-c datestyle=ISO -c timezone=UTC';
  const client = new pg.Client({ ...connection, options });
  await client.connect();
  await client.query(tables);
  return { client, stop };

  async function stop(): Promise<void> {
    await client.end();
    await drop();
  }
}
