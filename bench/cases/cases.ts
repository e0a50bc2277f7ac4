/** The cases over HTTP: their requests, and the answers that the database itself gives. */
import type pg from 'pg';
import { type DatabaseConnection, withClient } from '../database.js';
import type { CaseName } from '../options.js';
import { PEERS } from '../peers.js';
import { createRandom } from '../random.js';
import { CUSTOMERS, customerId, PRODUCTS } from '../rows.js';
import { type BenchCase, type Check, type HttpRequest, queryRequest } from './case.js';
import {
  INSERT,
  ORDERS_WITH_DETAILS,
  ORDERS_WITH_DETAILS_JSON,
  POINT_READ,
  POINT_READ_JSON,
} from './queries.js';

/** Enough that the requests are not the same ones all the time, and more than a cache holds. */
const REQUESTS = 20_000;
const CHECKS = 20;
const SEED = 20_261_121;

/** Makes the cases of these names; asks the database for the right answers. */
export function createCases(
  names: readonly CaseName[],
  connection: DatabaseConnection,
): Promise<readonly BenchCase[]> {
  return withClient(connection, async (client) => {
    const makers = [pointRead, ordersWithDetails, insertOrder, planHit, planMiss, ping];
    const cases: BenchCase[] = [];
    for (const make of makers) cases.push(await make(client));
    return cases.filter(({ name }) => names.includes(name));
  });
}

/** The point read, also for what is measured one request at a time. */
export async function pointRead(client: pg.Client): Promise<BenchCase> {
  const random = createRandom(SEED);
  const ids = Array.from({ length: REQUESTS }, () => 1 + random(PRODUCTS));
  const read = (id: number) => queryRequest('/execute', POINT_READ, { id });
  const checks: Check[] = [];
  for (const id of ids.slice(0, CHECKS)) {
    checks.push({ request: read(id), expected: await answer(client, POINT_READ_JSON, id) });
  }
  return {
    name: 'point',
    title: `Point read: ${POINT_READ}`,
    contestants: ['rowgate', 'fastify-pg', 'uws-constant', 'bare-lanes', ...PEERS],
    requests: ids.map(read),
    checks,
  };
}

async function ordersWithDetails(client: pg.Client): Promise<BenchCase> {
  const random = createRandom(SEED);
  const ids = Array.from({ length: REQUESTS }, () => customerId(1 + random(CUSTOMERS)));
  const read = (id: string) => queryRequest('/execute', ORDERS_WITH_DETAILS, { customerId: id });
  const checks: Check[] = [];
  for (const id of ids.slice(0, CHECKS)) {
    const expected = await answer(client, ORDERS_WITH_DETAILS_JSON, id);
    checks.push({ request: read(id), expected, project: byId });
  }
  return {
    name: 'include',
    title: `Orders with details: ${ORDERS_WITH_DETAILS}`,
    contestants: ['rowgate', 'fastify-pg', ...PEERS],
    requests: ids.map(read),
    checks,
  };
}

/** One row of fourteen columns and two foreign keys, with the key that the database makes. */
function insertOrder(): BenchCase {
  const random = createRandom(SEED);
  const none = { orderDate: null, requiredDate: null, shippedDate: null, shipViaId: null };
  const given = Array.from({ length: REQUESTS }, () => ({
    customerId: customerId(1 + random(CUSTOMERS)),
    employeeId: 1 + random(9),
    freight: random(10_000) / 100,
    name: `Order ${random(1_000_000)}`,
    address: null,
    city: 'Lisboa',
    region: null,
    postalCode: '1000-100',
    country: 'Portugal',
  }));
  const insert = (data: unknown) => queryRequest('/execute', INSERT, data);
  return {
    name: 'insert',
    title: `Insert of one row: ${INSERT}`,
    contestants: ['rowgate', 'fastify-pg'],
    requests: given.map(insert),
    checks: given.slice(0, CHECKS).map((data) => ({
      request: insert(data),
      expected: { ...none, ...data },
      project: withoutKey,
    })),
  };
}

function withoutKey(row: unknown): unknown {
  if (typeof member(row, 'id') !== 'number') return 'a row without its key';
  return Object.fromEntries(Object.entries(Object(row)).filter(([name]) => name !== 'id'));
}

function planHit(): BenchCase {
  const request = queryRequest('/plan', POINT_READ);
  return {
    name: 'plan-hit',
    title: 'Plan of an expression in the cache',
    contestants: ['rowgate'],
    requests: [request],
    checks: [planCheck(request)],
  };
}

/** More expressions than the cache has places, in turn: the one asked for has always just left. */
function planMiss(): BenchCase {
  const requests = Array.from({ length: REQUESTS }, (_, index) =>
    queryRequest('/plan', `Products.filter(p=>p.id==id && p.price>=${index})`),
  );
  return {
    name: 'plan-miss',
    title: 'Plan of a new expression each time',
    contestants: ['rowgate'],
    requests,
    checks: requests.slice(0, CHECKS).map(planCheck),
  };
}

function ping(): BenchCase {
  const request: HttpRequest = { method: 'GET', path: '/ping', body: '' };
  const message = (answered: unknown) => member(answered, 'message');
  return {
    name: 'ping',
    title: 'GET /ping',
    contestants: ['rowgate', 'uws-constant'],
    requests: [request],
    checks: [{ request, expected: 'pong', project: message }],
  };
}

function planCheck(request: HttpRequest): Check {
  return { request, expected: 'Products', project: (plan) => member(plan, 'entity') };
}

async function answer(client: pg.Client, sql: string, argument: unknown): Promise<unknown> {
  const { rows } = await client.query<{ json: unknown }>(sql, [argument]);
  if (rows[0] === undefined) throw new Error(`There is no row for ${String(argument)}.`);
  return rows[0].json;
}

/** Neither the expression nor the hand-written SQL asks for an order of the orders. */
function byId(answered: unknown): unknown {
  if (!Array.isArray(answered)) return answered;
  return answered.toSorted((a, b) => Number(member(a, 'id')) - Number(member(b, 'id')));
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
