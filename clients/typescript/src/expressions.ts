/** The types of recorded expressions. At run time each is a proxy that records its text (`record.ts`). */
import type {
  DateKind,
  EnumKind,
  InputOf,
  Kind,
  NumericKind,
  Reference,
  ItemKind,
} from './kinds.js';

declare const facts: unique symbol;

/**
 * A recorded expression: its kind, `null` if it can be null, and the path that names its column where a map has
 * no key for it (`never` if it needs one).
 */
export interface Expression<
  K extends Kind = Kind,
  N extends null = null,
  Name extends string = string,
> {
  readonly [facts]: { readonly kind: K; readonly null: N; readonly name: Name };
}

/** JSON. Where a kind is needed, it is a string in most places; `at` reads its members. */
export type JsonExpression = Expression<'json'>;

/** An array property. `at` reads an item. */
export type ArrayExpression<Item extends ItemKind = ItemKind> = Expression<`${Item}[]`>;

export type KindOf<E> = E extends Expression<infer K, null> ? K : never;
export type NameOf<E> = E extends Expression<Kind, null, infer Name> ? Name : never;

/** `null` if any of the operands can be null. */
export type NullOf<E> = E extends Expression<Kind, infer N> ? N : Extract<E, null>;

/** An operand of one of the kinds: an expression, a value that becomes a parameter, or null. */
export type Operand<K extends Kind> = Expression<K> | InputOf<K> | null;

export type AnyOperand =
  | Expression
  | Reference<string | number | bigint | boolean>
  | string
  | number
  | bigint
  | boolean
  | Date
  | null;

/** A text, or a value of an enum. */
export type TextKind = 'string' | EnumKind<string>;
export type Text = Operand<'string'> | Expression<EnumKind<string>> | JsonExpression;
export type Numeric = Operand<NumericKind> | Expression<EnumKind<number>>;
export type Integer = Operand<'integer'>;
/** A date as an expression, as ISO 8601 text, or as an object. */
export type Dated = Operand<DateKind> | Expression<'string'>;
export type Clock = Operand<DateKind | 'time'>;
export type Truth = Operand<'boolean'> | JsonExpression;

/** The kind of a number: that of its expression; a value is a parameter, which counts as a decimal. */
export type NumberKind<T> =
  T extends Expression<infer K, null>
    ? K extends NumericKind
      ? K
      : K extends EnumKind
        ? 'integer'
        : 'decimal'
    : 'decimal';

/** The kind of two numbers together: a double if one is, an integer if both are, and otherwise a decimal. */
export type Wider<L extends NumericKind, R extends NumericKind> = L extends 'number'
  ? L
  : R extends 'number'
    ? R
    : L extends 'integer'
      ? R
      : L;

/** What may be compared with an operand. */
export type Comparable<L> =
  L extends Expression<infer K, null>
    ? ComparableKind<K>
    : L extends number | bigint
      ? Numeric
      : L extends boolean
        ? Truth
        : L extends Date
          ? Dated
          : AnyOperand;

type ComparableKind<K extends Kind> = K extends NumericKind
  ? Numeric
  : K extends DateKind
    ? Dated
    : K extends 'string'
      ? Text | Expression<DateKind>
      : K extends 'json'
        ? Expression | string | null
        : Operand<K> | Expression<'json'> | (K extends EnumKind ? Expression<'string'> : never);
