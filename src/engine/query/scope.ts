/** What names mean at a place of the text: the variables of the lambdas around it, and the data. */
import type { Catalog } from '../schema/catalog.js';
import type { BoundOutput, RowSource } from './logical.js';
import type { ParameterSlots } from './parameters.js';

/** What is the same for the whole query. */
export interface BindContext {
  readonly catalog: Catalog;
  readonly stage: string;
  readonly parameters: ParameterSlots;
  /** Dotted names of parameters that are known to be null. */
  readonly nullParameters: ReadonlySet<string>;
  readonly includeDepthMax: number;
}

/** The variables in reach; an inner one hides an outer one of the same name. */
export interface Scope {
  readonly context: BindContext;
  readonly variable: string | undefined;
  readonly row: RowSource | undefined;
  /** Names that the query's map made, as members of the variable. */
  readonly outputs: readonly BoundOutput[];
  /** Where aggregates may stand; a sentence says why they may not. */
  readonly aggregates: 'allowed' | { readonly refused: string };
  readonly outer: Scope | undefined;
}

/** The scope outside of every lambda. */
export function outermostScope(context: BindContext): Scope {
  const aggregates = { refused: 'An aggregate cannot stand here.' };
  const nothing = { variable: undefined, row: undefined, outputs: [], outer: undefined };
  return { context, aggregates, ...nothing };
}

/** What a lambda's scope has beside its variable. */
export interface ScopeOptions {
  readonly outputs?: readonly BoundOutput[];
  readonly aggregates: Scope['aggregates'];
}

/** The scope of a lambda's body, whose variable (if it has one) stands for a row. */
export function innerScope(
  outer: Scope,
  variable: string | undefined,
  row: RowSource,
  { outputs = [], aggregates }: ScopeOptions,
): Scope {
  return { context: outer.context, variable, row, outputs, aggregates, outer };
}

/** The same scope where aggregates are refused. */
export function withoutAggregates(scope: Scope, refused: string): Scope {
  return { ...scope, aggregates: { refused } };
}

/** The scope that introduced a variable; undefined when the name is no variable in reach. */
export function scopeOfVariable(scope: Scope, name: string): Scope | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (at.variable === name) return at;
  }
  return undefined;
}
