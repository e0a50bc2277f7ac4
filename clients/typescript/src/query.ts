/** Builds queries clause by clause. A query never changes: each clause makes a new one. */
import type { Context } from './context.js';
import type { Comparable, Expression, Operand, Truth } from './expressions.js';
import type { Mode } from './kinds.js';
import type { CallOptions } from './options.js';
import { callText, type Render } from './record.js';
import type { Included, IncludedBy, Selectable, SelectedBy, SortRow } from './relations.js';
import {
  createRequest,
  listOf,
  type Parts,
  type Request,
  type RowsRequest,
  rowsMembers,
} from './request.js';
import type {
  Answered,
  ChangedRow,
  Changes,
  ColumnsOf,
  KeyRow,
  NewRow,
  PropertiesOf,
  PropertyExpression,
  RowOf,
  Stored,
} from './rows.js';

/** A query of entity `E` that selects the columns `S` and includes the relations `I`. */
export interface Query<D, E extends keyof D, S, I, M extends Mode>
  extends RowsRequest<Answered<S & I, M>> {
  filter(condition: (row: RowOf<D, E>) => Truth): Query<D, E, S, I, M>;
  /** Chooses the columns: one, a list, or an object. */
  map<T extends Selectable>(select: (row: RowOf<D, E>) => T): Query<D, E, SelectedBy<T>, I, M>;
  /** Like `map`, with duplicates removed. */
  distinct<T extends Selectable>(select: (row: RowOf<D, E>) => T): Query<D, E, SelectedBy<T>, I, M>;
  /** Adds related rows. */
  include<T extends Included | readonly Included[]>(
    relations: (row: RowOf<D, E>) => T,
  ): Query<D, E, S, I & IncludedBy<T>, M>;
  /** Keeps the groups for which the condition is true. */
  having(condition: (row: SortRow<D, E, S>) => Truth): Query<D, E, S, I, M>;
  /** By one key or a list of keys: `desc(o.freight)`. */
  sort(keys: (row: SortRow<D, E, S>) => Expression | readonly Expression[]): Query<D, E, S, I, M>;
  /** Pages count from 1. */
  page(number: Operand<'integer'>, size: Operand<'integer'>): Query<D, E, S, I, M>;
  take(count: Operand<'integer'>): Query<D, E, S, I, M>;
  /** The rows after an earlier page, whose `answer()` has the cursor; null for the first page. */
  after(cursor: string | null, size: number): Query<D, E, S, I, M>;
  /** All rows, one page after the other. */
  pages(size: number, options?: CallOptions): AsyncGenerator<Answered<S & I, M>[], void, undefined>;
  first(): Request<Answered<S & I, M> | undefined>;
  last(): Request<Answered<S & I, M> | undefined>;
  /** The number of rows. */
  count(): Request<number>;
}

/** A query that can also change or remove the rows of its filter. Both return their number. */
export interface Selection<D, E extends keyof D, I, M extends Mode>
  extends Query<D, E, ColumnsOf<D, E>, I, M> {
  filter(condition: (row: RowOf<D, E>) => Truth): Selection<D, E, I, M>;
  include<T extends Included | readonly Included[]>(
    relations: (row: RowOf<D, E>) => T,
  ): Selection<D, E, I & IncludedBy<T>, M>;
  /** Sets properties to values, or to what a lambda computes from each row. */
  update(changes: Changes<D, E> | NewValues<D, E>): Request<number>;
  delete(): Request<number>;
}

/** Computes new values from a row. */
export type NewValues<D, E extends keyof D> = (row: RowOf<D, E>) => {
  readonly [P in keyof PropertiesOf<D, E>]?: NewValue<PropertiesOf<D, E>[P]>;
};

type NewValue<P> = P extends { readOnly: true }
  ? never
  : Comparable<PropertyExpression<P, never, never>>;

/**
 * An entity: all its rows, and the writes of its rows. An `include` before a write stores nested
 * rows, too.
 */
export interface Table<D, E extends keyof D, I, M extends Mode>
  extends Query<D, E, ColumnsOf<D, E>, I, M> {
  filter(condition: (row: RowOf<D, E>) => Truth): Selection<D, E, I, M>;
  include<T extends Included | readonly Included[]>(
    relations: (row: RowOf<D, E>) => T,
  ): Table<D, E, I & IncludedBy<T>, M>;
  /** Stores a row, and returns it as stored. */
  insert(row: NewRow<D, E, I>): Request<Stored<D, E, I, M>>;
  bulkInsert(rows: readonly NewRow<D, E, I>[]): Request<Stored<D, E, I, M>[]>;
  /** Updates the row with that primary or unique key, or inserts it. */
  upsert(row: NewRow<D, E, I>): Request<Stored<D, E, I, M>>;
  bulkUpsert(rows: readonly NewRow<D, E, I>[]): Request<Stored<D, E, I, M>[]>;
  /** Changes the row with that primary key. Returns the number of rows. */
  update(row: ChangedRow<D, E, I>): Request<number>;
  updateAll(changes: Changes<D, E> | NewValues<D, E>): Request<number>;
  /** Removes the row with that primary key. Returns the number of rows. */
  delete(key: KeyRow<D, E>): Request<number>;
  deleteAll(): Request<number>;
}

interface State {
  readonly entity: string;
  readonly clauses: readonly Render[];
}

/**
 * Starts a query of an entity. The caller determines its type: at run time, all queries have all
 * clauses.
 */
export function startQuery(context: Context, entity: string): never {
  return build(context, { entity, clauses: [] });
}

function build(context: Context, state: State): never {
  const add =
    (name: string) =>
    (...given: readonly unknown[]) =>
      build(context, withClause(state, name, given));
  const ask = <T>(name: string, read: (rows: unknown) => T, ...path: readonly string[]) =>
    createRequest(
      context,
      { ...writtenParts(withClause(state, name, [])), read, path: [0, ...path] },
      {},
    );
  const made: Parts<unknown[]> = { ...writtenParts(state), read: listOf, path: [] };
  const reading = {
    ...rowsMembers(context, made),
    filter: add('filter'),
    map: add('map'),
    distinct: add('distinct'),
    include: add('include'),
    having: add('having'),
    sort: add('sort'),
    page: add('page'),
    take: add('take'),
    after: (cursor: string | null, size: number) =>
      build(context, withClause(withClause(state, 'after', [cursor]), 'take', [size])),
    pages: (size: number, options: CallOptions = {}) => pages(context, state, size, options),
    first: () => ask('first', firstOf),
    last: () => ask('last', firstOf),
    count: () => ask('count', countOf, 'count'),
  };
  const writing = Object.fromEntries(
    Object.entries(writes).map(([name, isOne]) => [
      name,
      (given?: unknown) => createRequest(context, writeParts(state, name, given, isOne), {}),
    ]),
  );
  return createRequest(context, made, { ...reading, ...writing }) as never;
}

/** The clauses that write, and the name of their rows in the data. */
const writes = {
  insert: 'row',
  bulkInsert: 'rows',
  upsert: 'row',
  bulkUpsert: 'rows',
  update: 'row',
  updateAll: 'row',
  delete: 'row',
  deleteAll: 'row',
};

function writeParts(state: State, name: string, given: unknown, rows: string): Parts<unknown> {
  const isData = typeof given === 'object';
  const first: Render = isData
    ? () => `.${name}(${rows})`
    : callText(`.${name}`, given === undefined ? [] : [given]);
  const { query, data } = writtenParts({ ...state, clauses: [first, ...state.clauses] });
  return {
    query,
    data: isData ? { ...data, [rows]: given } : data,
    writes: true,
    read: (answer) => answer,
    path: [],
  };
}

function withClause(state: State, name: string, given: readonly unknown[]): State {
  return { ...state, clauses: [...state.clauses, callText(`.${name}`, given)] };
}

function writtenParts({ entity, clauses }: State) {
  const values: unknown[] = [];
  const query = entity + clauses.map((each) => each(values)).join('');
  const data = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
  return { query, data, writes: false };
}

async function* pages(
  context: Context,
  state: State,
  size: number,
  options: CallOptions,
): AsyncGenerator<unknown[], void, undefined> {
  let cursor: string | null = null;
  do {
    const next: State = withClause(withClause(state, 'after', [cursor]), 'take', [size]);
    const made = { ...writtenParts(next), read: listOf, path: [] };
    const page = await rowsMembers(context, made).answer(options);
    if (page.rows.length > 0) yield page.rows;
    cursor = page.next ?? null;
  } while (cursor !== null);
}

function firstOf(answer: unknown): unknown {
  return listOf(answer)[0];
}

function countOf(answer: unknown): number {
  const row = firstOf(answer);
  return typeof row === 'object' && row !== null && 'count' in row ? Number(row.count) : 0;
}
