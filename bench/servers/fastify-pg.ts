/**
 * A contestant: what one would write by hand for these two reads and the insert, with care: Fastify, pg's pool, named
 * prepared statements, rows renamed by SQL, the details of all orders fetched at once, and
 * JSON.stringify, which is quicker here than serialisers made from schemas.
 */
import Fastify from 'fastify';
import pg from 'pg';
import { INSERT, ORDERS_WITH_DETAILS, POINT_READ } from '../cases/queries.js';
import { connectionOf, readTypesAsJson } from './pg-connection.js';
import { DETAILS_SQL, ORDER_COLUMNS } from './sentences.js';

const CONNECTIONS = 16;

const POINT_SQL = `SELECT ProductID AS "id", ProductName AS "name", SupplierID AS "supplierId",
  CategoryID AS "categoryId", QuantityPerUnit AS "quantity", UnitPrice AS "price",
  UnitsInStock AS "inStock", UnitsOnOrder AS "onOrder", ReorderLevel AS "reorderLevel",
  Discontinued AS "discontinued" FROM Products WHERE ProductID = $1`;

const ORDERS_SQL = `SELECT ${ORDER_COLUMNS} FROM Orders WHERE CustomerID = $1`;

/** What a request may give, as a hand-written server would list it. */
const GIVEN = [
  ...['customerId', 'employeeId', 'orderDate', 'requiredDate', 'shippedDate', 'shipViaId'],
  ...['freight', 'name', 'address', 'city', 'region', 'postalCode', 'country'],
];

const INSERT_SQL = `INSERT INTO Orders (CustomerID, EmployeeID, OrderDate, RequiredDate, ShippedDate,
    ShipVia, Freight, ShipName, ShipAddress, ShipCity, ShipRegion, ShipPostalCode, ShipCountry)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING ${ORDER_COLUMNS}`;

interface Body {
  readonly query: string;
  /** JSON text. */
  readonly data: string;
}

interface Order {
  readonly id: number;
  details: Detail[];
}

interface Detail {
  readonly orderId: number;
}

readTypesAsJson();
const [database = '{}', port = '0'] = process.argv.slice(2);
const pool = new pg.Pool({ ...connectionOf(database), max: CONNECTIONS });
const app = Fastify();

app.get('/readyz', () => ({ status: 'ready' }));

app.post<{ Body: Body }>('/execute', async ({ body }, reply) => {
  const data: unknown = JSON.parse(body.data);
  void reply.type('application/json; charset=utf-8');
  switch (body.query) {
    case POINT_READ:
      return JSON.stringify(await readProduct(value(data, 'id')));
    case ORDERS_WITH_DETAILS:
      return JSON.stringify(await readOrders(value(data, 'customerId')));
    case INSERT:
      return JSON.stringify(await insertOrder(data));
    default:
      return reply.code(400).send({ detail: 'This expression is not known.' });
  }
});

await app.listen({ host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));

async function readProduct(id: unknown): Promise<unknown[]> {
  const { rows } = await pool.query({ name: 'product', text: POINT_SQL, values: [id] });
  return rows;
}

async function insertOrder(data: unknown): Promise<unknown> {
  const values = GIVEN.map((name) => value(data, name) ?? null);
  const { rows } = await pool.query({ name: 'insert', text: INSERT_SQL, values });
  return rows[0];
}

async function readOrders(customerId: unknown): Promise<Order[]> {
  const { rows: orders } = await pool.query<Order>({
    name: 'orders',
    text: ORDERS_SQL,
    values: [customerId],
  });
  const { rows: details } = await pool.query<Detail>({
    name: 'details',
    text: DETAILS_SQL,
    values: [orders.map(({ id }) => id)],
  });
  const byId = new Map(orders.map((each) => [each.id, each]));
  for (const each of orders) each.details = [];
  for (const detail of details) byId.get(detail.orderId)?.details.push(detail);
  return orders;
}

function value(data: unknown, name: string): unknown {
  if (typeof data !== 'object' || data === null) return undefined;
  return new Map<string, unknown>(Object.entries(data)).get(name);
}
