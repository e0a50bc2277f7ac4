/** Queries and their inclusions: every clause bound to the rows that it reads. */
import { EngineError } from '../errors.js';
import type {
  CallExpression,
  ClauseSyntax,
  Expression,
  LambdaExpression,
  QuerySyntax,
} from '../language/ast.js';
import { didYouMean } from '../language/did-you-mean.js';
import { bindExpression } from './bind-expression.js';
import { requireType } from './bind-operators.js';
import { sortClauses } from './clauses.js';
import type { Bound, BoundInclusion, BoundOutput, BoundSelect, RowSource } from './logical.js';
import { columnOf, relationOf, rowOfEntity } from './rows.js';
import {
  type BindContext,
  innerScope,
  outermostScope,
  rowOfVariable,
  type Scope,
} from './scope.js';

/** Resolves and types a whole query. Parameters gather in `context.parameters`. */
export function bindQuery(context: BindContext, query: QuerySyntax): BoundSelect {
  const row = rowOfEntity(context, query.entity, query.entitySpan);
  const offset = query.clauses.at(-1)?.open ?? 0;
  return bindSelect(outermostScope(context), { row, offset, clauses: query.clauses, depth: 0 });
}

interface SelectSyntax {
  readonly row: RowSource;
  readonly offset: number;
  readonly clauses: readonly ClauseSyntax[];
  /** How many includes this one stands in. */
  readonly depth: number;
}

function bindSelect(scope: Scope, { row, offset, clauses, depth }: SelectSyntax): BoundSelect {
  const sorted = sortClauses(clauses);
  const filter = bindFilters(scope, row, sorted.filter);
  const inclusions = sorted.include.flatMap((clause) => bindInclude(scope, row, clause, depth));
  rejectRepeated(inclusions, clauses);
  return { row, outputs: allProperties(row), filter, inclusions, offset };
}

/** Several filters are joined by AND. */
function bindFilters(
  scope: Scope,
  row: RowSource,
  clauses: readonly ClauseSyntax[],
): Bound | undefined {
  let filter: Bound | undefined;
  for (const clause of clauses) {
    const lambda = lambdaOf(clause);
    const bound = bindExpression(innerScope(scope, lambda.parameter, row), lambda.body);
    requireType(bound, 'boolean', 'A filter');
    const { span } = lambda.body;
    filter = filter
      ? { kind: 'binary', operator: '&&', left: filter, right: bound, type: 'boolean', span }
      : bound;
  }
  return filter;
}

function allProperties(row: RowSource): BoundOutput[] {
  return row.entity.properties.flatMap(({ name }) => {
    const value = columnOf(row, name, { start: 0, end: 0 });
    return value ? [{ name, value }] : [];
  });
}

/** `p=>p.details`, `p=>[p.details.filter(…), p.customer]` */
function bindInclude(
  scope: Scope,
  row: RowSource,
  clause: ClauseSyntax,
  depth: number,
): BoundInclusion[] {
  const lambda = lambdaOf(clause);
  const inner = innerScope(scope, lambda.parameter, row);
  if (depth >= scope.context.includeDepthMax) {
    const message = `Includes stand in each other at most ${scope.context.includeDepthMax} deep.`;
    throw new EngineError('include-too-deep', message, { span: clause.nameSpan });
  }
  const items = lambda.body.kind === 'list' ? lambda.body.items : [lambda.body];
  return items.map((item) => bindInclusion(inner, row, item, depth));
}

function bindInclusion(
  scope: Scope,
  row: RowSource,
  item: Expression,
  depth: number,
): BoundInclusion {
  const calls: CallExpression[] = [];
  let at = item;
  while (at.kind === 'call' && at.receiver) {
    calls.unshift(at);
    at = at.receiver;
  }
  const isOfRow =
    at.kind === 'member' &&
    at.object.kind === 'name' &&
    rowOfVariable(scope, at.object.name) === row;
  if (at.kind !== 'member' || !isOfRow) throw noRelation(item);
  const relation = relationOf(row, at.name);
  if (!relation) throw unknownRelation(row, at.name, at.nameSpan);
  const target = rowOfEntity(scope.context, relation.entity, at.nameSpan);
  const offset = calls.at(-1)?.open ?? item.span.start;
  const select = bindSelect(scope, { row: target, offset, clauses: calls, depth: depth + 1 });
  return { relation, select };
}

function lambdaOf(clause: ClauseSyntax): LambdaExpression {
  const [argument, extra] = clause.arguments;
  if (argument?.kind === 'lambda' && !extra) return argument;
  const span = (extra ?? argument)?.span ?? clause.nameSpan;
  const message = `Clause '${clause.name}' takes one lambda, such as p=>p.id==id.`;
  throw new EngineError('wrong-arguments', message, { span });
}

function rejectRepeated(inclusions: readonly BoundInclusion[], clauses: readonly ClauseSyntax[]) {
  const names = inclusions.map(({ relation }) => relation.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  const clause = clauses.findLast(({ name }) => name === 'include');
  const message = `Relation '${repeated}' is included twice.`;
  throw new EngineError('duplicate-clause', message, { span: clause?.nameSpan });
}

function noRelation({ span }: Expression): EngineError {
  const hint = 'For example include(p=>p.details), or include(p=>[p.details, p.customer]).';
  const message = 'An include names a relation of its entity.';
  return new EngineError('wrong-arguments', message, { span, hint });
}

function unknownRelation(row: RowSource, name: string, span: { start: number; end: number }) {
  const { entity } = row;
  const hint = didYouMean(
    name,
    entity.relations.map((relation) => relation.name),
  );
  const isProperty = entity.properties.some((property) => property.name === name);
  const what = isProperty ? `'${name}' is a property, not a relation` : `no relation '${name}'`;
  const message = isProperty
    ? `${what}, of entity '${entity.name}'.`
    : `Entity '${entity.name}' has ${what}.`;
  return new EngineError('unknown-relation', message, { span, hint });
}
