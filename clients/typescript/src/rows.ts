/** The types of rows: what `rowgate types` writes, and what queries make of it. */
import type { Expression } from './expressions.js';
import type { InputOf, Kind, Mode, ValueOf } from './kinds.js';
import type { Included, ToMany, ToOne } from './relations.js';

/** The type of a property; absent members are false. */
export interface PropertyType {
  readonly type: Kind;
  readonly nullable?: true;
  /** The values of its enum. */
  readonly values?: unknown;
  /** Whether an insert can omit it. */
  readonly optional?: true;
  /** Whether only answers contain it. */
  readonly readOnly?: true;
}

export interface RelationType {
  readonly entity: string;
  readonly many?: true;
  /** For a relation to one row: whether there may be none. */
  readonly nullable?: true;
  /**
   * The properties that the relation starts from, and the properties of the other entity that they
   * refer to.
   */
  readonly from: string;
  readonly to: string;
  /** Whether it leads through a join table. */
  readonly readOnly?: true;
}

export interface EntityType {
  /** The properties of the primary key. */
  readonly key: string;
  readonly properties: object;
  readonly relations: object;
  readonly readOnly?: true;
}

/** A name of an entity of the domain. */
export type EntityName<D> = keyof D & string;

export type PropertiesOf<D, E extends keyof D> = D[E] extends { properties: infer P } ? P : never;
export type RelationsOf<D, E extends keyof D> = D[E] extends { relations: infer R } ? R : never;
type KeyOf<D, E extends keyof D> = D[E] extends { key: infer K } ? K : never;

export type KindOfProperty<P> = P extends { values: infer V }
  ? { readonly values: V }
  : P extends { type: infer K extends Kind }
    ? K
    : never;

export type NullIf<T> = T extends { nullable: true } ? null : never;

/** An expression that reads a property. `N` is `null` if the row itself can be absent. */
export type PropertyExpression<P, N extends null, Name extends string> = Expression<
  KindOfProperty<P>,
  N | NullIf<P>,
  Name
>;

/** The row of a lambda: its properties, and paths through its relations. */
export type RowOf<D, E extends keyof D, N extends null = never, Path extends string = ''> = {
  readonly [P in keyof PropertiesOf<D, E> & string]: PropertyExpression<
    PropertiesOf<D, E>[P],
    N,
    `${Path}${P}`
  >;
} & {
  readonly [R in keyof RelationsOf<D, E> & string]: RelationOf<D, RelationsOf<D, E>[R], R, N, Path>;
};

type RelationOf<D, R, Name extends string, N extends null, Path extends string> = R extends {
  entity: infer E extends keyof D;
}
  ? R extends { many: true }
    ? ToMany<D, E, Name>
    : RowOf<D, E, N | NullIf<R>, `${Path}${Name}.`> & ToOne<D, E, Name, N | NullIf<R>>
  : never;

/** The columns of an entity: what a query without a map selects. */
export type ColumnsOf<D, E extends keyof D> = {
  readonly [P in keyof PropertiesOf<D, E> & string]: PropertyExpression<
    PropertiesOf<D, E>[P],
    never,
    P
  >;
};

/** A row of an answer, from the columns and the included relations of a query. */
export type Answered<S, M extends Mode> = {
  -readonly [P in keyof S]: AnsweredValue<S[P], M>;
} & {};

type AnsweredValue<E, M extends Mode> =
  E extends Included<string, infer S, infer C>
    ? C extends 'many'
      ? Answered<S, M>[]
      : Answered<S, M> | (C extends 'perhaps' ? null : never)
    : E extends Expression<infer K, infer N>
      ? ValueOf<K, M> | N
      : E;

/** What an insert or upsert answers: a row that the data does not nest is null. */
export type Stored<D, E extends keyof D, I, M extends Mode> = Answered<
  ColumnsOf<D, E> & Nested<I>,
  M
>;

type Nested<S> = {
  readonly [P in keyof S]: S[P] extends Included<infer Name, infer Inner, infer C>
    ? Included<Name, Nested<Inner>, C extends 'many' ? C : 'perhaps'>
    : S[P];
};

/** The rows of an entity as answered without a map: `Row<Domain, 'Orders'>`. */
export type Row<D, E extends keyof D, M extends Mode = 'json'> = Answered<ColumnsOf<D, E>, M>;

type Written<P> = InputOf<KindOfProperty<P>> | NullIf<P>;

type WritableName<P> = {
  [N in keyof P]: P[N] extends { readOnly: true } ? never : N;
}[keyof P];
type OptionalName<P> = {
  [N in keyof P]: P[N] extends { nullable: true } | { optional: true } ? N : never;
}[keyof P];

/**
 * What an insert stores: an object with the writable properties. `I` are the included relations, whose rows
 * are nested, and `Given` are properties that the parent row gives.
 */
export type NewRow<D, E extends keyof D, I = unknown, Given = never> = NewProperties<
  PropertiesOf<D, E>,
  Given | LeadingTo<RelationsOf<D, E>, keyof I>
> &
  NestedRows<D, RelationsOf<D, E>, I>;

type NewProperties<P, Given> = {
  [N in Exclude<WritableName<P>, OptionalName<P> | Given>]: Written<P[N]>;
} & {
  [N in Extract<WritableName<P>, OptionalName<P> | Given>]?: Written<P[N]>;
};

/** The properties that relations to one row lead from: a nested row gives them. */
type LeadingTo<R, Names> = {
  [N in keyof R & Names]: R[N] extends { many: true }
    ? never
    : R[N] extends { from: infer From }
      ? From
      : never;
}[keyof R & Names];

type NestedRows<D, R, I> = {
  [N in keyof R & keyof I as R[N] extends { readOnly: true } ? never : N]?: R[N] extends {
    entity: infer E extends keyof D;
    to: infer To;
  }
    ? R[N] extends { many: true }
      ? readonly NewRow<D, E, InnerOf<I[N]>, To>[]
      : NewRow<D, E, InnerOf<I[N]>> | null
    : never;
};

/** The relations that an included relation includes itself. */
type InnerOf<T> =
  T extends Included<string, infer S>
    ? { [P in keyof S as S[P] extends Included ? P : never]: S[P] }
    : never;

/** New values of some properties. */
export type Changes<D, E extends keyof D> = Partial<NewProperties<PropertiesOf<D, E>, never>>;

/** The primary key of a row. */
export type KeyRow<D, E extends keyof D> = {
  [N in KeyOf<D, E> & keyof PropertiesOf<D, E>]: InputOf<KindOfProperty<PropertiesOf<D, E>[N]>>;
};

/** New values of a row, with its primary key, and nested rows. */
export type ChangedRow<D, E extends keyof D, I = unknown> = KeyRow<D, E> &
  Changes<D, E> &
  NestedRows<D, RelationsOf<D, E>, I>;
