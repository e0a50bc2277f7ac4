/**
 * Scopes: what a name means at a place of the query, as a variable of an enclosing lambda or as data.
 */
import { EngineError, type Span } from '../errors.js';
import type { Catalog } from '../schema/catalog.js';
import type { Action } from '../schema/locate.js';
import type { Bound, BoundOutput, RowSource } from './logical.js';
import type { ParameterSlots } from './parameters.js';

/** What stays the same throughout the query. */
export interface BindContext {
  readonly catalog: Catalog;
  readonly stage: string;
  readonly parameters: ParameterSlots;
  /** The dotted names of parameters that are null. */
  readonly nullParameters: ReadonlySet<string>;
  readonly includeDepthMax: number;
  /** Collects the entities whose rows the query itself reads, apart from expressions of the schema. */
  readonly usedEntities?: Set<string> | undefined;
  /** The layer in which properties are read; the view's if absent. */
  readonly layer?: ReadLayer;
  /** A property of a row whose column may have any type. */
  readonly untyped?: { readonly row: RowSource; readonly name: string } | undefined;
  /** How deeply the predicates of rows are nested here. */
  readonly predicateDepth?: number;
  /** A row that must not get joins: related rows are read by sub-selects. */
  readonly unjoined?: RowSource;
  /** The grouping keys, where only they and aggregates can be read: a sub-select of theirs is used again. */
  readonly groupKeys?: readonly Bound[];
  /** What is done with the rows; undefined if they are read. */
  readonly action?: Exclude<Action, 'select'>;
}

/** The layers of the schema in which a property can be read, from the column up. */
export type ReadLayer = 'stored' | 'mapping' | 'domain' | 'view';

/** The variables in scope; an inner one hides an outer one of the same name. */
export interface Scope {
  readonly context: BindContext;
  readonly variable: string | undefined;
  readonly row: RowSource | undefined;
  /** Names that the query's map defines, which are also members of the variable. */
  readonly outputs: readonly BoundOutput[];
  /** Whether aggregates are allowed; if not, the message of the error. */
  readonly aggregates: 'allowed' | { readonly refused: string };
  /** How many includes contain this scope's statement. */
  readonly depth: number;
  readonly outer: Scope | undefined;
}

/** The scope outside all lambdas. */
export function outermostScope(context: BindContext): Scope {
  const aggregates = { refused: 'An aggregate is not allowed here.' };
  const nothing = { variable: undefined, row: undefined, outputs: [], outer: undefined };
  return { context, aggregates, depth: 0, ...nothing };
}

/** What a lambda's scope contains besides its variable. */
export interface ScopeOptions {
  readonly outputs?: readonly BoundOutput[];
  readonly aggregates: Scope['aggregates'];
}

/** The scope of a lambda's body; its variable, if it has one, stands for `row`. */
export function innerScope(
  outer: Scope,
  variable: string | undefined,
  row: RowSource,
  { outputs = [], aggregates }: ScopeOptions,
): Scope {
  return { context: outer.context, variable, row, outputs, aggregates, depth: outer.depth, outer };
}

export function scopeOfInclude(outer: Scope): Scope {
  const nothing = { variable: undefined, row: undefined, outputs: [] };
  return { ...outer, ...nothing, depth: outer.depth + 1, outer };
}

/**
 * The scope that introduced a variable; undefined if the name is not a variable in scope. Throws
 * `unsupported` if the variable stands for a row of another statement.
 */
export function scopeOfVariable(scope: Scope, { name, span }: NamedPlace): Scope | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (at.variable !== name) continue;
    if (at.depth === scope.depth) return at;
    const message = `'${name}' is not available here, because an included relation is read by its own statement.`;
    throw new EngineError('unsupported', message, { span });
  }
  return undefined;
}

/** A name, and its position in the text. */
export interface NamedPlace {
  readonly name: string;
  readonly span: Span;
}
