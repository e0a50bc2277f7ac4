/**
 * Binds the clauses of a query or an include to the rows that they read, in whatever order they are
 * written.
 */
import { EngineError } from '../errors.js';
import type { ClauseSyntax, QuerySyntax } from '../language/ast.js';
import { bindAfter } from './bind-after.js';
import { bindInclude } from './bind-include.js';
import { allOf, bindCondition, lambdaOf } from './bind-lambda.js';
import { bindLimit } from './bind-limit.js';
import { bindMap } from './bind-map.js';
import { noteOrdered, typeOf } from './bind-operators.js';
import { bindSort, reverseSort, usualSort } from './bind-sort.js';
import { type Clauses, sortClauses } from './clauses.js';
import { checkGroups, scopeOfGroups } from './groups.js';
import type {
  Bound,
  BoundInclude,
  BoundOutput,
  BoundSelect,
  BoundSortKey,
  RowSource,
} from './logical.js';
import { rowOfEntity } from './rows.js';
import { type BindContext, outermostScope, type Scope } from './scope.js';
import { missingKeys } from './unique-sort.js';

/**
 * Resolves the names of a query and types its expressions. Adds its parameters to `context.parameters`.
 */
export function bindQuery(context: BindContext, query: QuerySyntax): BoundSelect {
  const row = rowOfEntity(context, query.entity, query.entitySpan);
  const offset = query.clauses.at(-1)?.open ?? 0;
  return bindSelect(outermostScope(context), { row, offset, clauses: query.clauses, depth: 0 });
}

export interface SelectSyntax {
  readonly row: RowSource;
  /** The offset in the query's text by which `/metadata` identifies this statement. */
  readonly offset: number;
  readonly clauses: readonly ClauseSyntax[];
  /** How many includes contain this one. */
  readonly depth: number;
}

/** Binds the clauses of a query or of an include. */
export function bindSelect(scope: Scope, syntax: SelectSyntax): BoundSelect {
  const { row, offset, depth } = syntax;
  const clauses = sortClauses(syntax.clauses);
  const filter = bindFilters(scope, row, clauses.filters);
  const { outputs, whole, grouped, includes: mapped } = bindMap(scope, row, clauses, depth);
  const ofGroups = grouped ? scopeOfGroups(scope, outputs) : scope;
  const having = bindHaving(ofGroups, row, clauses, outputs, grouped);
  const sort = bindSort(ofGroups, row, clauses.one('sort'), { outputs, grouped });
  const limit = bindLimit(scope, clauses);
  const included = clauses.includeClauses.flatMap((clause) =>
    bindInclude(scope, row, clause, depth),
  );
  const includes = [...included, ...mapped];
  rejectRepeated(includes, whole ? [] : outputs, clauses);
  const distinct = clauses.one('distinct') !== undefined;
  const select = {
    row,
    outputs,
    whole,
    distinct,
    filter,
    grouped,
    having,
    sort: settledSort(scope.context, { row, outputs, distinct, grouped, sort }, clauses),
    limit,
    counted: clauses.one('count') !== undefined,
    includes,
    offset,
  };
  checkGroups(select, clauses);
  const bound = bindAfter(scope, select, clauses);
  for (const { value } of bound.sort) noteOrdered(value);
  return bound;
}

/** Binds all filters, joined by AND. */
function bindFilters(
  scope: Scope,
  row: RowSource,
  clauses: readonly ClauseSyntax[],
): Bound | undefined {
  const aggregates = { refused: 'A filter cannot contain an aggregate: use having.' };
  return allOf(
    clauses.map((clause) => bindCondition(scope, row, lambdaOf(clause), { aggregates })),
  );
}

function bindHaving(
  scope: Scope,
  row: RowSource,
  clauses: Clauses,
  outputs: readonly BoundOutput[],
  grouped: boolean,
): Bound | undefined {
  const clause = clauses.one('having');
  if (!clause) return undefined;
  if (!grouped) {
    const message = "'having' filters groups: use an aggregate in the map.";
    throw new EngineError('wrong-arguments', message, { span: clause.nameSpan });
  }
  return bindCondition(scope, row, lambdaOf(clause), { outputs, aggregates: 'allowed' });
}

/**
 * Limited rows without a sort are ordered by the primary key; distinct rows and groups without that key, by their
 * columns. `last` reverses the order.
 */
function settledSort(
  context: BindContext,
  select: Pick<BoundSelect, 'row' | 'outputs' | 'distinct' | 'grouped' | 'sort'>,
  clauses: Clauses,
): readonly BoundSortKey[] {
  const { row, distinct, grouped, sort } = select;
  const isCut = clauses.one('page') ?? clauses.one('first') ?? clauses.one('last');
  const isPlain = !grouped && !distinct;
  // Rows cannot be sorted by binary values.
  const keys = () => (missingKeys(select) ?? []).filter(({ value }) => typeOf(value) !== 'binary');
  const usual = () => (isPlain ? usualSort(context, row) : keys());
  const settled = sort.length === 0 && isCut ? usual() : sort;
  return clauses.one('last') ? reverseSort(settled) : settled;
}

/** Throws if a relation is included twice, or under the name of a column. */
function rejectRepeated(
  includes: readonly BoundInclude[],
  mapped: readonly BoundOutput[],
  clauses: Clauses,
): void {
  const names = includes.map(({ name }) => name);
  const span = (clauses.includeClauses.at(-1) ?? clauses.one('map'))?.nameSpan;
  const taken = mapped.find(({ name }) => names.includes(name));
  if (taken) {
    const message = `Relation '${taken.name}' is included, but a column has the same name.`;
    const hint = 'Give the column another name: map(p=>({other: …})).';
    throw new EngineError('wrong-arguments', message, { span, hint });
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  throw new EngineError('duplicate-clause', `Relation '${repeated}' is included twice.`, { span });
}
