/** Templates for the SQL of functions, and what they can use from the call. */
import type { PropertyType } from '../../schema/model.js';

/**
 * A call that is being rendered. Placeholders are numbered in the order in which these methods are
 * called: a template must call them in the order of its text, and once for each occurrence.
 */
export interface CallSql {
  /** How many arguments were given. */
  readonly count: number;
  /** The type of an argument. */
  type(index: number): PropertyType;
  /** The type in which the database computes an argument: `number` where it computes a decimal as a double. */
  computed(index: number): PropertyType;
  /** An argument between commas or parentheses. */
  value(index: number): string;
  /** An argument that needs no parentheses beside any operator or cast. */
  operand(index: number): string;
  /**
   * An operand of a comparison: strings are compared by code point if none of the arguments has a
   * column.
   */
  compared(index: number): string;
  /**
   * An operand of a comparison with another argument, without a cast if that argument determines the
   * type.
   */
  beside(index: number, other: number): string;
  /** An argument as a string, written as JavaScript would write it. */
  text(index: number): string;
  /** A list argument, whose items are compared with another argument. */
  list(index: number, other: number): ListSql;
  /** The digits of an argument that is a literal integer; otherwise undefined. */
  digits(index: number): string | undefined;
  /** The value of an argument that is a number literal; otherwise undefined. */
  number(index: number): number | undefined;
  /** The text of an argument that is a string literal; otherwise undefined. */
  letters(index: number): string | undefined;
  /** The column whose collation an argument has; undefined if it has none. */
  column(index: number): string | undefined;
  /** A constant of the template, which is sent as an argument. */
  constant(text: string): string;
  /** The time of the request. */
  instant(type: 'dateTime' | 'date' | 'time'): string;
  /** The SQL of `body`, which may use arguments any number of times; see {@link repeating}. */
  naming(body: Template): string;
}

export type ListSql =
  | { readonly kind: 'items'; readonly items: readonly string[] }
  /** `among`: the condition that a value is in the list. */
  | { readonly kind: 'parameter'; readonly among: (value: string) => string };

/**
 * Returns an expression that needs no parentheses beside any operator; a condition, beside AND and NOT.
 */
export type Template = (call: CallSql) => string;

/**
 * A template that repeats its arguments. Expensive arguments get names in a sub-select, so that nested
 * calls are neither written nor computed many times.
 */
export function repeating(body: Template): Template {
  return (call) => call.naming(body);
}

/** A function of the database, applied to the only argument. */
export function applied(name: string): Template {
  return (call) => `${name}(${call.value(0)})`;
}

/** The templates of a group, one for each of its functions. */
export type Templates<Name extends string> = Readonly<Record<Name, Template>>;
