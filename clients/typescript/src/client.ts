/** The client: the entities of a domain, texts of queries, and transactions. */
import type { Context } from './context.js';
import { createGather } from './gather.js';
import type { Mode } from './kinds.js';
import type { ClientOptions, TransactionOptions } from './options.js';
import { type Query, startQuery, type Table } from './query.js';
import { createRequest, type Request, type RowsRequest, rowsMembers } from './request.js';
import type { ColumnsOf, EntityName } from './rows.js';
import { runTransaction, type Answers } from './transaction.js';

/** The queries of a domain, as `rowgate types` describes it. */
export type Client<D, M extends Mode = 'json'> = {
  readonly [E in Exclude<EntityName<D>, keyof ClientMembers<D, M>>]: EntityQuery<D, E, M>;
} & ClientMembers<D, M>;

/** A read-only entity can only be queried. */
export type EntityQuery<D, E extends keyof D, M extends Mode> = D[E] extends { readOnly: true }
  ? Query<D, E, ColumnsOf<D, E>, unknown, M>
  : Table<D, E, unknown, M>;

export interface ClientMembers<D, M extends Mode> {
  /** An entity whose name is that of a member of the client. */
  entity<E extends EntityName<D>>(name: E): EntityQuery<D, E, M>;
  /** A query as text, with the values of its parameters. `Row` is not checked. */
  query<Row>(text: string, data?: Readonly<Record<string, unknown>>): RowsRequest<Row>;
  /** Runs requests one after the other in one transaction: all take effect, or none. */
  transaction<const S extends readonly Request<unknown>[]>(
    steps: S,
    options?: TransactionOptions,
  ): Promise<Answers<S>>;
}

/** A client of the gateway at `url`. With `exact`, integers are bigints and decimals are strings. */
export function createClient<D>(options: ClientOptions & { exact: true }): Client<D, 'exact'>;
export function createClient<D>(options: ClientOptions & { exact?: false }): Client<D>;
export function createClient<D>(options: ClientOptions & { exact?: boolean }): Client<D, Mode> {
  const isExact = options.exact === true;
  const context: Context = {
    options,
    isExact,
    models: new Map(),
    gather: options.batch ? createGather(options, isExact) : undefined,
  };
  const members: ClientMembers<D, Mode> = {
    entity: (name) => startQuery(context, name),
    query: (text, data = {}) => rawRequest(context, text, data),
    transaction: (steps, given) => runTransaction(context, steps, given),
  };
  const client: unknown = new Proxy(members, {
    get: (target, name): unknown => {
      if (typeof name === 'symbol' || name === 'then') return undefined;
      if (Object.hasOwn(target, name)) return Reflect.get(target, name);
      return startQuery(context, name);
    },
  });
  return client as Client<D, Mode>;
}

/** Any of these words may write. A text that only contains one is a write, too, which is never sent twice. */
const writing =
  /\b(insert|push|bulkInsert|update|updateAll|delete|remove|deleteAll|upsert|merge|bulkUpsert|bulkMerge)\b/;

function rawRequest<Row>(
  context: Context,
  query: string,
  data: Readonly<Record<string, unknown>>,
): RowsRequest<Row> {
  const read = (answer: unknown) => answer as Row[];
  const made = { query, data, writes: writing.test(query), read, path: [] };
  return createRequest(context, made, rowsMembers(context, made));
}
