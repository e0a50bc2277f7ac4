/**
 * Runs every function on MariaDB: the examples of the function table, and the cases, which have the
 * same values as on PostgreSQL.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSchema } from '../../../src/engine/index.js';
import { functionTable } from '../../../src/engine/query/functions/table.js';
import { parameterizeStatement } from '../../../src/engine/input/arguments.js';
import { createCancellation } from '../../../src/workers/cancellation.js';
import { createRegistry, type SourceRegistry } from '../../../src/workers/database/registry.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../../support/mariadb.js';
import { mariadbSampleDocument } from '../../support/mariadb-sample.js';
import { settings } from '../../workers/test-worker.js';
import { rowTexts } from '../byte-rows.js';
import { cases } from './cases/all.js';
import { compileFor, queryOf } from './compile-call.js';
import { type FunctionCase, instant } from './function-case.js';
import { driverOf } from '../../support/drivers.js';

/** Some names contain characters that patterns and comparisons could misinterpret. */
const tables = `
  CREATE TABLE Products (ProductID int PRIMARY KEY, ProductName varchar(80), SupplierID int,
    CategoryID int, QuantityPerUnit varchar(80), UnitPrice decimal(38,10), UnitsInStock decimal(38,10),
    UnitsOnOrder decimal(38,10), ReorderLevel decimal(38,10), Discontinued bool);
  INSERT INTO Products VALUES
    (1, 'Chai', 1, 1, '10 boxes x 20 bags', 18.00, 39, 0, 10, false),
    (2, '100%_\\\\ "Ćevapi" 😀', 1, NULL, NULL, NULL, 17.5, -40.50, 25, true);
  CREATE TABLE Orders (OrderID int PRIMARY KEY, CustomerID varchar(5), EmployeeID int,
    OrderDate datetime(6), RequiredDate date, ShippedDate date, ShipVia int, Freight decimal(38,10),
    ShipName varchar(80), ShipAddress varchar(80), ShipCity varchar(80), ShipRegion varchar(80),
    ShipPostalCode varchar(20), ShipCountry varchar(80));
  INSERT INTO Orders (OrderID, CustomerID, EmployeeID, OrderDate, RequiredDate, ShippedDate, Freight)
    VALUES (1, 'VINET', 5, '1996-07-03 22:00:00.123', '1996-07-31', '1996-07-15', 32.38),
      (2, 'TOMSP', 6, NULL, NULL, NULL, NULL);
`;

describeMariadb('a function', () => {
  let database: MariadbDatabase;
  let sources: SourceRegistry;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) => client.query(tables));
    sources = createRegistry(loadSchema(mariadbSampleDocument(database)), settings, driverOf);
  });

  afterAll(async () => {
    await Promise.all(sources.all.map((source) => source.close()));
    await database.drop();
  });

  describe('an example in the table', () => {
    test.each(functionTable.map(({ example }) => example))('%s is %s', async (call, gives) => {
      expect(await answer({ call, gives })).toBe(`{"r":${gives}}`);
    });
  });

  describe.each(Object.entries(cases))('the %s functions', (_, ofGroup) => {
    test.each(ofGroup)('$call with $data of row $id returns $gives', async (each) => {
      expect(await answer(each)).toBe(`{"r":${each.gives}}`);
    });
  });

  /** The JSON of the row that the database returns. */
  async function answer({ call, orders, id = 1, data = {} }: FunctionCase): Promise<string> {
    const query = queryOf(call, orders ? 'Orders' : 'Products', id);
    const { plan, values } = compileFor(query, { data, instant }, 'MariaDB');
    const statement = parameterizeStatement(plan.root, values, []);
    const lease = await sources.get(plan.root.source).lease(createCancellation());
    try {
      const rows = await lease.fetch(statement);
      const [row] = rowTexts(plan.root, { rows, includes: [] });
      return row ?? 'no row';
    } finally {
      lease.release();
    }
  }
});
