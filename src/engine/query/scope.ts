/** What names mean at a place of the text: the variables of the enclosing lambdas, and the data. */
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
  /** Dotted names of parameters that are null. */
  readonly nullParameters: ReadonlySet<string>;
  readonly includeDepthMax: number;
  /** Collects the entities whose rows the query itself uses, apart from expressions of the schema. */
  readonly usedEntities?: Set<string>;
  /** How properties are read; absent: as the view defines. */
  readonly layer?: ReadLayer;
  /** A property whose column may have any type. */
  readonly untyped?: string | undefined;
  /** How deeply the predicates of rows are nested here. */
  readonly predicateDepth?: number;
  /** A row to which nothing can be joined: related rows are read by sub-selects. */
  readonly unjoined?: RowSource;
  /** What is done with the rows; undefined: they are read. */
  readonly action?: Exclude<Action, 'select'>;
}

/** At which level of the schema properties are read. */
export type ReadLayer = 'stored' | 'mapping' | 'domain' | 'view';

/** The variables in scope; an inner one hides an outer one of the same name. */
export interface Scope {
  readonly context: BindContext;
  readonly variable: string | undefined;
  readonly row: RowSource | undefined;
  /** Names that the query's map defined, as members of the variable. */
  readonly outputs: readonly BoundOutput[];
  /** Whether aggregates are allowed; a string says why they are not. */
  readonly aggregates: 'allowed' | { readonly refused: string };
  /** How many includes contain the statement of these names. */
  readonly depth: number;
  readonly outer: Scope | undefined;
}

/** The scope outside all lambdas. */
export function outermostScope(context: BindContext): Scope {
  const aggregates = { refused: 'An aggregate cannot stand here.' };
  const nothing = { variable: undefined, row: undefined, outputs: [], outer: undefined };
  return { context, aggregates, depth: 0, ...nothing };
}

/** What the scope of a lambda has in addition to its variable. */
export interface ScopeOptions {
  readonly outputs?: readonly BoundOutput[];
  readonly aggregates: Scope['aggregates'];
}

/** The scope of a lambda's body; its variable, if any, stands for a row. */
export function innerScope(
  outer: Scope,
  variable: string | undefined,
  row: RowSource,
  { outputs = [], aggregates }: ScopeOptions,
): Scope {
  return { context: outer.context, variable, row, outputs, aggregates, depth: outer.depth, outer };
}

/** The scope of the clauses of an included relation. */
export function scopeOfInclude(outer: Scope): Scope {
  const nothing = { variable: undefined, row: undefined, outputs: [] };
  return { ...outer, ...nothing, depth: outer.depth + 1, outer };
}

/** The same scope, in which aggregates are refused. */
export function withoutAggregates(scope: Scope, refused: string): Scope {
  return { ...scope, aggregates: { refused } };
}

/**
 * The scope that introduced a variable; undefined when the name is not a variable in scope. Throws
 * `unsupported` for a row of another statement.
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

/** A name, and its place in the text. */
export interface NamedPlace {
  readonly name: string;
  readonly span: Span;
}
