/**
 * A server to compare streams with, which sends all orders with their details: pg-cursor in
 * windows, the details of a window by one prepared query on a second connection, JSON.stringify,
 * and node:http, to which it writes no faster than the client reads.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { selectFrom } from '../mixes/entities.js';
import { DETAILS_SQL, jsonTypes } from '../rivals/postgresql.js';

const PORTION_ROWS = 1000;

interface Order {
  readonly id: number;
  details: unknown[];
}

const [database = '{}', port = '0'] = process.argv.slice(2);
const pool = new pg.Pool({ ...JSON.parse(database), max: 8, types: jsonTypes });

const server = createServer((request, response) => {
  if (request.url === '/readyz') {
    response.end('{"status":"ready"}');
    return;
  }
  request.resume().once('end', () => {
    writeOrders(response).catch((error: unknown) => response.destroy(new Error(String(error))));
  });
});
server.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => server.close(() => void pool.end()));

async function writeOrders(response: ServerResponse): Promise<void> {
  const client = await pool.connect();
  const cursor = client.query(new Cursor<Order>(selectFrom('Orders')));
  response.setHeader('content-type', 'application/json; charset=utf-8');
  let before = '[';
  for (;;) {
    const orders = await cursor.read(PORTION_ROWS);
    if (orders.length === 0) break;
    await addDetails(orders);
    const text = JSON.stringify(orders);
    if (!response.write(before + text.slice(1, -1))) await once(response, 'drain');
    before = ',';
  }
  await cursor.close();
  client.release();
  response.end(before === '[' ? '[]' : ']');
}

async function addDetails(orders: readonly Order[]): Promise<void> {
  const { rows } = await pool.query<{ readonly orderId: number }>({
    name: 'details',
    text: DETAILS_SQL,
    values: [orders.map(({ id }) => id)],
  });
  const byId = new Map(orders.map((each) => [each.id, each]));
  for (const each of orders) each.details = [];
  for (const detail of rows) byId.get(detail.orderId)?.details.push(detail);
}
