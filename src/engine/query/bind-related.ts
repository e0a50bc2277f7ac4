/** Aggregates over the rows of a to-many relation: correlated sub-selects. */
import { EngineError } from '../errors.js';
import type { CallExpression, Expression, LambdaExpression } from '../language/ast.js';
import type { Relation } from '../schema/model.js';
import { aggregateType, bindArgument, isAggregateName } from './bind-aggregate.js';
import { allOf, bindCondition } from './bind-lambda.js';
import { typeOf } from './bind-operators.js';
import type { Bound, BoundSubselect, RowSource } from './logical.js';
import { requireOneSource } from './one-source.js';
import {
  joinedRow,
  leadsToMany,
  relationIn,
  requiredColumn,
  rowAside,
  rowOfEntity,
} from './rows.js';
import { someWithin } from './same-bound.js';
import { innerScope, type Scope, scopeOfVariable } from './scope.js';

/** Why an aggregate cannot stand in another one. */
export const nestedAggregate = 'An aggregate cannot stand in an aggregate.';

/** The rows of a to-many relation, and the filters that stand behind it. */
export interface RelatedRows {
  readonly relation: Relation;
  /** The row that the relation starts from. */
  readonly outer: RowSource;
  /** Its value there. */
  readonly key: Bound;
  readonly filters: readonly LambdaExpression[];
}

/** The rows that an expression names, as in `p.details` or `p.details.filter(…)`; undefined of other ones. */
export function relatedRows(scope: Scope, expression: Expression): RelatedRows | undefined {
  const filters: LambdaExpression[] = [];
  let head = expression;
  while (head.kind === 'call' && head.receiver && ['filter', 'where'].includes(head.name)) {
    const [lambda] = head.arguments;
    if (lambda?.kind !== 'lambda') return undefined;
    filters.unshift(lambda);
    head = head.receiver;
  }
  if (head.kind !== 'member') return undefined;
  const start = rowOfPath(scope, head.object);
  const relation = start && relationIn(scope.context, start.row, head.name);
  if (!start || !relation || !leadsToMany(relation)) return undefined;
  const own = requiredColumn(start.row, relation.from);
  const { aside } = start;
  const key = aside ? { ...aside, argument: own, type: own.type } : own;
  return { relation, outer: start.row, key, filters };
}

/** The row that a path leads to; `aside`: the sub-select that reads it, where it is not joined. */
interface PathRow {
  readonly row: RowSource;
  readonly aside?: BoundSubselect | undefined;
}

/** The row that `p` or `p.customer` stands for; undefined when it is something else. */
function rowOfPath(scope: Scope, expression: Expression): PathRow | undefined {
  if (expression.kind === 'name') {
    const row = scopeOfVariable(scope, expression)?.row;
    return row && { row };
  }
  if (expression.kind !== 'member') return undefined;
  const { context } = scope;
  const { nameSpan: span } = expression;
  const start = rowOfPath(scope, expression.object);
  const relation = start && relationIn(context, start.row, expression.name);
  if (!start || !relation || leadsToMany(relation)) return undefined;
  if (context.guardDepth !== undefined) throw tooFar(span);
  if (start.row === context.unjoined) {
    const aside = rowAside(context, start.row, { relation, span });
    return { row: aside.row, aside };
  }
  return { ...start, row: joinedRow(context, start.row, { relation, span }) };
}

/** Binds an aggregate over them, or the question whether there are any, as a sub-select. */
export function bindRelated(
  scope: Scope,
  { name, span, nameSpan }: CallExpression,
  { relation, outer, key, filters }: RelatedRows,
  rest: readonly Expression[],
): BoundSubselect {
  const row = rowOfEntity(scope.context, relation.entity, nameSpan, outer.sentence);
  requireOneSource(outer, row, { name: relation.name, span: nameSpan });
  const [lambda, extra] = rest;
  if (extra || (lambda && lambda.kind !== 'lambda')) throw wrongRelated(name, span);
  const aggregates = { refused: nestedAggregate };
  const conditions = filters.map((each) => bindCondition(scope, row, each, { aggregates }));
  const base = { kind: 'subselect', relation, key, row, span } as const;
  if (!isAggregateName(name)) {
    if (lambda) conditions.push(bindCondition(scope, row, lambda, { aggregates }));
    const filter = allOf(conditions);
    return {
      ...base,
      name: 'exists',
      argument: undefined,
      distinct: false,
      filter,
      type: 'boolean',
    };
  }
  if (!lambda && name !== 'count') throw wrongRelated(name, span);
  const inner = innerScope(scope, lambda?.parameter, row, { aggregates });
  const { argument: value, distinct } = bindArgument(inner, lambda?.body);
  const type = aggregateType(name, value);
  const argument = value && ofItsRows(value, row, relation);
  return { ...base, name, argument, distinct, filter: allOf(conditions), type };
}

/**
 * The argument of an aggregate, made to read its own rows: a database takes an aggregate over columns of
 * the rows outside alone for one of those (ISO 9075-2, 6.9: the qualifying query of an aggregate).
 */
function ofItsRows(argument: Bound, row: RowSource, { to }: Relation): Bound {
  const own = rowsOf(row);
  const reads = (rows: (row: RowSource) => boolean) =>
    someWithin(argument, (part) => part.kind === 'column' && rows(part.row));
  if (reads((each) => own.has(each)) || !reads(() => true)) return argument;
  const { span } = argument;
  const nothing = { kind: 'null', span } as const;
  // The key that ties the rows is in all of them.
  const tie = {
    kind: 'binary',
    operator: '!=',
    left: requiredColumn(row, to),
    right: nothing,
  } as const;
  const test = { ...tie, type: 'boolean', span } as const;
  const type = typeOf(argument) ?? 'any';
  return { kind: 'conditional', test, consequent: argument, alternate: nothing, type, span };
}

function rowsOf(row: RowSource): ReadonlySet<RowSource> {
  return new Set([row, ...[...row.joins.values()].flatMap((join) => [...rowsOf(join.row)])]);
}

function tooFar(span: CallExpression['span']): EngineError {
  const message = 'A filter of the schema aggregates relations of the row itself.';
  return new EngineError('unsupported', message, { span });
}

function wrongRelated(name: string, span: CallExpression['span']): EngineError {
  const hint = `For example p.details.${name}(d=>d.quantity).`;
  const message = `'${name}' over a relation takes one lambda.`;
  return new EngineError('wrong-arguments', message, { span, hint });
}
