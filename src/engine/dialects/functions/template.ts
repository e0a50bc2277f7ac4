/** What the SQL of a function is made of: a template, and what it may ask of the call. */
import type { PropertyType } from '../../schema/model.js';

/**
 * A call that is being written. Placeholders count in the order in which they are asked for: a
 * template asks for everything in the order of its text, and anew each time that it stands there.
 */
export interface CallSql {
  /** How many arguments were given. */
  readonly count: number;
  /** The type of an argument. */
  type(index: number): PropertyType;
  /** An argument as it stands between commas or parentheses. */
  value(index: number): string;
  /** An argument that needs no parentheses beside any operator or cast. */
  operand(index: number): string;
  /** The same for a comparison: texts are compared by code point, where none of the arguments has a column. */
  compared(index: number): string;
  /** The same for a comparison with another argument: without a cast if that one determines the type. */
  beside(index: number, other: number): string;
  /** An argument as text, as JavaScript would write it. */
  text(index: number): string;
  /** A list argument, whose items are compared with another argument. */
  list(index: number, other: number): ListSql;
  /** The digits of an argument that is a whole number written in the expression. */
  digits(index: number): string | undefined;
  /** The value of an argument that is a number written in the expression. */
  number(index: number): number | undefined;
  /** The letters of an argument that is a text written in the expression. */
  letters(index: number): string | undefined;
  /** The column whose collation an argument has; undefined where it has none. */
  column(index: number): string | undefined;
  /** A constant of the template, sent as an argument. */
  constant(text: string): string;
  /** The instant of the request. */
  instant(type: 'dateTime' | 'date' | 'time'): string;
  /** The SQL of `body`, in which arguments may stand as often as it likes; see {@link repeating}. */
  naming(body: Template): string;
}

export type ListSql =
  | { readonly kind: 'items'; readonly items: readonly string[] }
  /** `among`: whether a value is in the list, as a condition. */
  | { readonly kind: 'parameter'; readonly among: (value: string) => string };

/** Gives an expression that stands safely beside any operator; a condition, beside AND and NOT. */
export type Template = (call: CallSql) => string;

/**
 * A template that repeats its arguments. Expensive ones get names in a sub-select, so that nested calls
 * are neither written nor computed many times.
 */
export function repeating(body: Template): Template {
  return (call) => call.naming(body);
}

/** The templates of a group, one for each of its functions. */
export type Templates<Name extends string> = Readonly<Record<Name, Template>>;
