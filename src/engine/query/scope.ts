/** What names mean at a place of the text: the variables of the lambdas around it, and the data. */
import type { Catalog } from '../schema/catalog.js';
import type { RowSource } from './logical.js';
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
  readonly outer: Scope | undefined;
}

/** The scope outside of every lambda. */
export function outermostScope(context: BindContext): Scope {
  return { context, variable: undefined, row: undefined, outer: undefined };
}

/** The scope of a lambda's body, whose variable (if it has one) stands for a row. */
export function innerScope(outer: Scope, variable: string | undefined, row: RowSource): Scope {
  return { context: outer.context, variable, row, outer };
}

/** The row that a variable stands for; undefined when the name is no variable in reach. */
export function rowOfVariable(scope: Scope, name: string): RowSource | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (at.variable === name) return at.row;
  }
  return undefined;
}
