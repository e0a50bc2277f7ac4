/** The description of a function, which the binder, the renderer and the documentation share. */
import type { PropertyType, ScalarType } from '../../schema/model.js';

export type FunctionGroup = 'comparison' | 'null' | 'numeric' | 'string' | 'date' | 'convert';

/**
 * The type of a parameter. `same`: any type, but the same for all arguments marked so; `list`: a list
 * whose items have that type; `numeric`: an integer, a decimal or a number; `clock`: a dateTime, a date or
 * a time; `plain`: a string, a number or a boolean; `sized`: a string or an array; `any`: any single value;
 * `whatever`: that or an array.
 */
export type ParameterType = ScalarType | ParameterKind;
export type ParameterKind = 'same' | 'list' | 'numeric' | 'clock' | 'plain' | 'sized' | 'whatever';

export interface FunctionParameter {
  readonly name: string;
  readonly type: ParameterType;
  /** `optional`: may be omitted; `rest`: any number of arguments, or none. */
  readonly given: 'always' | 'optional' | 'rest';
  /** The default of an optional parameter, as it would be written in a query. */
  readonly fallback: string | undefined;
  /** The largest value that it accepts. */
  readonly max?: number;
}

/**
 * Derives the type of a result from the types of the arguments, in order; `any` stands for an unknown
 * type.
 */
export type ResultRule = (types: readonly PropertyType[]) => PropertyType;

export interface FunctionDefinition {
  /** Other names of the same function. */
  readonly aliases?: readonly string[];
  readonly parameters: readonly FunctionParameter[];
  readonly returns: PropertyType | ResultRule;
  /** What the documentation says about the result's type, if a rule determines it. */
  readonly result?: string;
  /** Whether the value depends on the time of the request. */
  readonly readsClock?: true;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** A call with literals, and its value as JSON. */
  readonly example: readonly [call: string, value: string];
}

export interface FunctionSignature extends FunctionDefinition {
  readonly name: string;
  readonly group: FunctionGroup;
}

export type FunctionGroupTable = Readonly<Record<string, FunctionDefinition>>;
