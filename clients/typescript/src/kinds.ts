/** The types of properties and expressions, and the values that they have in answers and in data. */

type ScalarKind =
  | 'integer'
  | 'decimal'
  | 'number'
  | 'string'
  | 'boolean'
  | 'dateTime'
  | 'date'
  | 'time'
  | 'json'
  | 'uuid'
  | 'binary'
  | 'interval'
  | 'inet'
  | 'xml'
  | 'any';

/** What an array may hold. */
export type ItemKind = Exclude<ScalarKind, 'json' | 'binary' | 'xml' | 'any'>;

/** The values of an enum. */
export interface EnumKind<Values = unknown> {
  readonly values: Values;
}

/** The type of a property as in the schema file; for an enum, its values. */
export type Kind = ScalarKind | `${ItemKind}[]` | EnumKind;

export type NumericKind = 'integer' | 'decimal' | 'number';
/** Instants and days: they can be compared with each other. */
export type DateKind = 'dateTime' | 'date';

/** The form of numbers in answers: as JavaScript reads JSON, or with all their digits. */
export type Mode = 'json' | 'exact';

interface JsonValues {
  integer: number;
  decimal: number;
  number: number;
  string: string;
  boolean: boolean;
  dateTime: string;
  date: string;
  time: string;
  json: unknown;
  uuid: string;
  binary: string;
  interval: string;
  inet: string;
  xml: string;
  any: unknown;
}

interface ExactValues extends Omit<JsonValues, 'integer' | 'decimal'> {
  integer: bigint;
  decimal: `${number}`;
}

interface Values {
  json: JsonValues;
  exact: ExactValues;
}

/** The value of a kind in an answer, apart from null. */
export type ValueOf<K, M extends Mode> =
  K extends EnumKind<infer V>
    ? EnumValue<V, M>
    : K extends keyof JsonValues
      ? Values[M][K]
      : K extends `${infer Item}[]`
        ? readonly (ValueOf<Item, M> | null)[]
        : never;

type EnumValue<V, M extends Mode> = [M, V] extends ['exact', number] ? bigint : V;

interface Inputs extends Omit<JsonValues, NumericKind | DateKind> {
  integer: number | bigint;
  decimal: number | bigint | `${number}`;
  number: number | bigint | `${number}`;
  dateTime: string | Date;
  date: string | Date;
}

/** What data may contain for a kind, apart from null. */
export type InputOf<K> =
  | Reference<ReferredOf<K>>
  | (K extends EnumKind<infer V>
      ? V
      : K extends keyof Inputs
        ? Inputs[K]
        : K extends `${infer Item}[]`
          ? readonly (InputOf<Item> | null)[]
          : never);

type ReferredOf<K> = K extends NumericKind
  ? number | bigint | `${number}`
  : K extends EnumKind<infer V>
    ? V
    : K extends keyof JsonValues
      ? JsonValues[K]
      : never;

declare const referred: unique symbol;

/** In a transaction: a value from the answer of an earlier step. */
export interface Reference<T = unknown> {
  readonly [referred]: T;
}
