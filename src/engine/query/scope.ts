/** What names mean at a place of the text: the variables of the lambdas around it, and the data. */
import { EngineError, type Span } from '../errors.js';
import type { Catalog } from '../schema/catalog.js';
import type { Action } from '../schema/locate.js';
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
  /** What properties are read as; absent: as the view shows them. */
  readonly layer?: ReadLayer;
  /** A property whose column may be of any type. */
  readonly untyped?: string | undefined;
  /** Of the condition that makes a row one of its entity: how many such stand in one another. */
  readonly predicateDepth?: number;
  /** A row to which none can be joined: what is asked of related ones is a sub-select. */
  readonly unjoined?: RowSource;
  /** What is done to the rows; undefined: they are read. */
  readonly action?: Exclude<Action, 'select'>;
}

/** Who of a schema may read something in place of a column. */
export type ReadLayer = 'stored' | 'mapping' | 'domain' | 'view';

/** The variables in reach; an inner one hides an outer one of the same name. */
export interface Scope {
  readonly context: BindContext;
  readonly variable: string | undefined;
  readonly row: RowSource | undefined;
  /** Names that the query's map made, as members of the variable. */
  readonly outputs: readonly BoundOutput[];
  /** Where aggregates may stand; a sentence says why they may not. */
  readonly aggregates: 'allowed' | { readonly refused: string };
  /** How many includes the statement stands in whose names these are. */
  readonly depth: number;
  readonly outer: Scope | undefined;
}

/** The scope outside of every lambda. */
export function outermostScope(context: BindContext): Scope {
  const aggregates = { refused: 'An aggregate cannot stand here.' };
  const nothing = { variable: undefined, row: undefined, outputs: [], outer: undefined };
  return { context, aggregates, depth: 0, ...nothing };
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
  return { context: outer.context, variable, row, outputs, aggregates, depth: outer.depth, outer };
}

/** The scope in which an included relation's own clauses stand. */
export function scopeOfInclude(outer: Scope): Scope {
  const nothing = { variable: undefined, row: undefined, outputs: [] };
  return { ...outer, ...nothing, depth: outer.depth + 1, outer };
}

/** The same scope where aggregates are refused. */
export function withoutAggregates(scope: Scope, refused: string): Scope {
  return { ...scope, aggregates: { refused } };
}

/**
 * The scope that introduced a variable; undefined when the name is no variable in reach. Throws
 * `unsupported` for a row that another statement reads.
 */
export function scopeOfVariable(scope: Scope, { name, span }: NamedPlace): Scope | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (at.variable !== name) continue;
    if (at.depth === scope.depth) return at;
    const message = `An included relation is read by itself: '${name}' is not in its reach.`;
    throw new EngineError('unsupported', message, { span });
  }
  return undefined;
}

/** A name, and where it stands. */
export interface NamedPlace {
  readonly name: string;
  readonly span: Span;
}
