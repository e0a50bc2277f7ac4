/** The types of relations in lambdas: paths, included relations, and aggregates over related rows. */
import type { Expression, KindOf, Numeric, Operand, Truth } from './expressions.js';
import type { Kind } from './kinds.js';
import type { ColumnsOf, RowOf } from './rows.js';

declare const included: unique symbol;

/** Whether a relation leads to one row, to one row or none, or to many. */
export type Cardinality = 'one' | 'perhaps' | 'many';

/** An included relation: its name, and the columns and relations that are answered for its rows. */
export interface Included<
  Name extends string = string,
  S = unknown,
  C extends Cardinality = Cardinality,
> {
  readonly [included]: { readonly name: Name; readonly columns: S; readonly cardinality: C };
}

/** What a map or a distinct may select: one column, a list, or an object. */
export type Selectable =
  | Expression
  | Included
  | readonly (Expression | Included)[]
  | {
      readonly [name: string]: Expression | Included | string | number | boolean | null;
    };

/** The columns by name. A single path is named after its end; in a list, its names are joined. */
export type SelectedBy<S> =
  S extends Expression<Kind, null, infer Name>
    ? { readonly [N in EndOf<Name>]: S }
    : S extends Included
      ? IncludedBy<S>
      : S extends readonly (infer Item)[]
        ? { readonly [I in Item as NameOfItem<I>]: I }
        : S;

/** The included relations by name. */
export type IncludedBy<S> = S extends readonly (infer Item)[]
  ? { readonly [I in Item as NameOfItem<I>]: I }
  : { readonly [I in S as NameOfItem<I>]: I };

type NameOfItem<I> =
  I extends Included<infer Name>
    ? Name
    : I extends Expression<Kind, null, infer Name>
      ? Joined<Name>
      : never;

type Joined<Path extends string> = Path extends `${infer First}.${infer Rest}`
  ? `${First}_${Joined<Rest>}`
  : Path;

type EndOf<Path extends string> = Path extends `${string}.${infer Rest}` ? EndOf<Rest> : Path;

/**
 * The row of a sort or a having: the columns of the map, which hide properties with the same names.
 */
export type SortRow<D, E extends keyof D, S> = S & Omit<RowOf<D, E>, keyof S>;

/** A relation to one row. `filter` can make it null. */
export interface ToOne<
  D,
  E extends keyof D,
  Name extends string,
  N extends null,
  S = ColumnsOf<D, E>,
  I = unknown,
> extends Included<Name, S & I, [N] extends [never] ? 'one' : 'perhaps'> {
  filter(condition: (row: RowOf<D, E>) => Truth): ToOne<D, E, Name, null, S, I>;
  map<T extends Selectable>(
    select: (row: RowOf<D, E>) => T,
  ): ToOne<D, E, Name, N, SelectedBy<T>, I>;
  include<T extends Included | readonly Included[]>(
    relations: (row: RowOf<D, E>) => T,
  ): ToOne<D, E, Name, N, S, I & IncludedBy<T>>;
}

/** A relation to many rows. */
export interface ToMany<D, E extends keyof D, Name extends string, S = ColumnsOf<D, E>, I = unknown>
  extends Included<Name, S & I, 'many'> {
  filter(condition: (row: RowOf<D, E>) => Truth): ToMany<D, E, Name, S, I>;
  map<T extends Selectable>(select: (row: RowOf<D, E>) => T): ToMany<D, E, Name, SelectedBy<T>, I>;
  include<T extends Included | readonly Included[]>(
    relations: (row: RowOf<D, E>) => T,
  ): ToMany<D, E, Name, S, I & IncludedBy<T>>;
  sort(
    keys: (row: SortRow<D, E, S>) => Expression | readonly Expression[],
  ): ToMany<D, E, Name, S, I>;
  page(number: Operand<'integer'>, size: Operand<'integer'>): ToMany<D, E, Name, S, I>;
  take(count: Operand<'integer'>): ToMany<D, E, Name, S, I>;

  /** The first row of each parent, as a list of at most one. */
  first(): ToMany<D, E, Name, S, I>;
  /** A value of the first row. */
  first<V extends Expression>(value: (row: RowOf<D, E>) => V): Expression<KindOf<V>, null, never>;
  last(): ToMany<D, E, Name, S, I>;
  last<V extends Expression>(value: (row: RowOf<D, E>) => V): Expression<KindOf<V>, null, never>;

  /** The number of rows, of those for which a condition is true, or of values that are not null. */
  count(value?: (row: RowOf<D, E>) => Expression): Expression<'integer', never, never>;
  sum(value: (row: RowOf<D, E>) => Numeric): Expression<'decimal', null, never>;
  avg(value: (row: RowOf<D, E>) => Numeric): Expression<'decimal', null, never>;
  min<V extends Expression>(value: (row: RowOf<D, E>) => V): Expression<KindOf<V>, null, never>;
  max<V extends Expression>(value: (row: RowOf<D, E>) => V): Expression<KindOf<V>, null, never>;
}
