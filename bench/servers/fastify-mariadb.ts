/**
 * A contestant: what one would write by hand for the point read on MariaDB, with care: Fastify, the
 * connector's pool with prepared statements, rows renamed by SQL, and JSON.stringify.
 */
import Fastify from 'fastify';
import mariadb from 'mariadb';

const CONNECTIONS = 16;

const SQL = `SELECT ProductID AS id, ProductName AS name, SupplierID AS supplierId,
  CategoryID AS categoryId, QuantityPerUnit AS quantity, UnitPrice AS price,
  UnitsInStock AS inStock, UnitsOnOrder AS onOrder, ReorderLevel AS reorderLevel,
  Discontinued AS discontinued FROM Products WHERE ProductID = ?`;

interface Body {
  /** JSON text. */
  readonly data: string;
}

interface Product {
  discontinued: unknown;
}

const [database = '{}', port = '0'] = process.argv.slice(2);
const pool = mariadb.createPool({
  ...JSON.parse(database),
  connectionLimit: CONNECTIONS,
  decimalAsNumber: true,
});
const app = Fastify();

app.get('/readyz', () => ({ status: 'ready' }));

app.post<{ Body: Body }>('/execute', async ({ body }, reply) => {
  const { id }: { id: unknown } = JSON.parse(body.data);
  const products = await pool.execute<Product[]>(SQL, [id]);
  for (const product of products) product.discontinued = product.discontinued === 1;
  void reply.type('application/json; charset=utf-8');
  return JSON.stringify(products);
});

await app.listen({ host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
