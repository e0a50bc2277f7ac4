/** The mixes: how often a mix sends each query, and with which data. */
import {
  type BenchCase,
  type ContestantName,
  type HttpRequest,
  queryRequest,
} from '../cases/case.js';
import type { Dialect } from '../database.js';
import { PEERS } from '../peers.js';
import { createRandom, type Random } from '../random.js';
import type { Row } from '../rivals/answer-query.js';
import { CUSTOMERS, customerId, ORDERS, PRODUCTS } from '../rows.js';
import { type Asked, checkQuery, type Reference } from './check-query.js';
import * as queries from './queries.js';

/** In the order in which they run; those that add rows come last. */
export const MIXES = [
  ...(['point', 'listed', 'plans', 'many', 'join', 'list', 'page', 'rows', 'long'] as const),
  ...(['count', 'group', 'parent', 'include', 'mixed', 'update', 'insert'] as const),
] as const;

export type MixName = (typeof MIXES)[number];

export function isMix(name: string): name is MixName {
  return MIXES.some((mix) => mix === name);
}

/** Enough different requests that they are not the same ones all the time. */
const REQUESTS = 20_000;
/** The number of requests that are checked, in addition to one of each query, if there are not too many. */
const CHECKS = 20;
const QUERIES_MAX = 200;
const SEED = 20_261_121;
/** The number of point reads of `listed` in one request to Rowgate. */
const LIST_SIZE = 50;

/** The mix as a case, whose answers are compared with those of the reference. */
export function createMix(name: MixName, dialect: Dialect, reference: Reference): BenchCase {
  const random = createRandom(SEED);
  const asked = Array.from({ length: REQUESTS }, () => makers[name](random));
  const sample = sampleOf(asked);
  return {
    name,
    contestants: contestantsOf(name, dialect),
    requests: asked.map(toRequest),
    ...(name === 'listed' && { listSize: LIST_SIZE }),
    check: async (ask) => {
      for (const each of sample) await checkQuery(each, ask, reference);
    },
    pgbench: isForPgbench(name, dialect) ? [...new Set(asked.map(({ query }) => query))] : [],
  };
}

function contestantsOf(name: MixName, dialect: Dialect): readonly ContestantName[] {
  if (dialect === 'MariaDB') return ['rowgate', 'before', 'fastify-mariadb'];
  const all = ['rowgate', 'before', 'fastify-pg'] as const;
  if (name === 'point') return [...all, 'uws-constant', 'bare-batcher', ...PEERS];
  return name === 'include' ? [...all, ...PEERS] : all;
}

/** pgbench runs all its scripts equally often, unlike the queries of a mix, and takes at most 128. */
function isForPgbench(name: MixName, dialect: Dialect): boolean {
  return dialect === 'PostgreSQL' && !['mixed', 'listed', 'many', 'page'].includes(name);
}

function sampleOf(asked: readonly Asked[]): readonly Asked[] {
  const first = new Map(asked.toReversed().map((each) => [each.query, each]));
  const ofEach = [...first.values()].slice(0, QUERIES_MAX);
  return [...new Set([...asked.slice(0, CHECKS), ...ofEach])];
}

function toRequest({ query, data }: Asked): HttpRequest {
  return queryRequest('/execute', query.expression, data);
}

const makers: Readonly<Record<MixName, (random: Random) => Asked>> = {
  point: askPoint,
  listed: askPoint,
  plans: askPlan,
  many: askMany,
  join: (random) => ({ query: queries.JOIN, data: { id: 1 + random(PRODUCTS) } }),
  list: (random) => ({ query: queries.LIST, data: ofCustomer(random) }),
  rows: (random) => ({
    query: queries.ROWS,
    data: { id: 1 + random(PRODUCTS - queries.RANGE_ROWS) },
  }),
  page: (random) => ({ query: queries.PAGE, data: { ...ofCustomer(random), cursor: null } }),
  long: (random) => ({
    query: queries.LONG,
    data: { id: 1 + random(PRODUCTS - queries.LONG_ROWS) },
  }),
  count: (random) => ({ query: queries.COUNT, data: ofCustomer(random) }),
  group: (random) => ({ query: queries.GROUP, data: ofCustomer(random) }),
  parent: (random) => ({ query: queries.PARENT, data: { id: 1 + random(ORDERS) } }),
  include: (random) => ({ query: queries.INCLUDE, data: ofCustomer(random) }),
  mixed: (random) => {
    const share = random(100);
    if (share < 70) return askPlan(random);
    if (share < 85) return makers.list(random);
    return share < 95 ? makers.include(random) : makers.update(random);
  },
  update: (random) => ({
    query: queries.UPDATE,
    data: { id: 1 + random(queries.UPDATED_ORDERS), freight: random(10_000) / 100 },
  }),
  insert: (random) => ({
    query: queries.INSERT,
    data: {
      ...ofCustomer(random),
      employeeId: 1 + random(9),
      freight: random(10_000) / 100,
      name: `Order ${random(1_000_000)}`,
      address: null,
      city: 'Lisboa',
      region: null,
      postalCode: '1000-100',
      country: 'Portugal',
    },
  }),
};

function askPoint(random: Random): Asked {
  return { query: queries.POINT, data: { id: 1 + random(PRODUCTS) } };
}

function askPlan(random: Random): Asked {
  const query = queries.PLANS[random(queries.PLANS.length)];
  if (query === undefined) throw new Error('There are no plans.');
  return { query, data: { id: keys[query.entity](random) } };
}

function askMany(random: Random): Asked {
  const query = queries.MANY[random(queries.MANY.length)];
  if (query === undefined) throw new Error('There are no queries.');
  return { query, data: { id: keys.Products(random) } };
}

const keys = {
  Customers: (random: Random) => customerId(1 + random(CUSTOMERS)),
  Orders: (random: Random) => 1 + random(ORDERS),
  Products: (random: Random) => 1 + random(PRODUCTS),
};

function ofCustomer(random: Random): Row {
  return { customerId: customerId(1 + random(CUSTOMERS)) };
}
