/** What is said of each function of the language, once: for the binder, the renderer and the documentation. */
import type { PropertyType } from '../../schema/model.js';

export type FunctionGroup = 'comparison' | 'null' | 'numeric' | 'string' | 'date' | 'convert';

/**
 * What a parameter of a function takes: a type, or
 * `same`: no matter which type, in common with all others of the call that say so;
 * `list`: a list whose items have that type;
 * `numeric`: an integer, a decimal or a number;
 * `clock`: what has an hour: a dateTime, a date or a time;
 * `plain`: a string, a number or a boolean.
 */
export type ParameterType = PropertyType | 'same' | 'list' | 'numeric' | 'clock' | 'plain';

export interface FunctionParameter {
  readonly name: string;
  readonly type: ParameterType;
  /** `optional`: may be left out; `rest`: as many as one likes, or none. */
  readonly given: 'always' | 'optional' | 'rest';
  /** What stands for an optional one that is left out, as it would be written. */
  readonly fallback: string | undefined;
  /** The greatest number that it takes. */
  readonly max?: number;
}

/** The types of the given arguments, in their order; `any` where nothing is known. */
export type ResultRule = (types: readonly PropertyType[]) => PropertyType;

export interface FunctionDefinition {
  /** Other names of the same function. */
  readonly aliases?: readonly string[];
  readonly parameters: readonly FunctionParameter[];
  readonly returns: PropertyType | ResultRule;
  /** What the result is called in the documentation, where a rule gives it. */
  readonly result?: string;
  /** Whether the value is that of the request's instant. */
  readonly readsClock?: true;
  /** One sentence. */
  readonly summary: string;
  /** A call on literals, and the JSON of its value. */
  readonly example: readonly [call: string, value: string];
}

export interface FunctionSignature extends FunctionDefinition {
  readonly name: string;
  readonly group: FunctionGroup;
}

/** The definitions of a group, by name. */
export type FunctionGroupTable = Readonly<Record<string, FunctionDefinition>>;
