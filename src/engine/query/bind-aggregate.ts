/** Aggregates: over the rows of a group, or over those of a to-many relation. */
import { EngineError } from '../errors.js';
import type { CallExpression, Expression, LambdaExpression } from '../language/ast.js';
import type { PropertyType, Relation } from '../schema/model.js';
import { bindExpression } from './bind-expression.js';
import { requireType, typeOf } from './bind-operators.js';
import { allOf, bindCondition } from './bind-lambda.js';
import type { AggregateName, Bound, BoundSubselect, RowSource } from './logical.js';
import { requireOneSource } from './one-source.js';
import {
  joinedRow,
  leadsToMany,
  relationIn,
  requiredColumn,
  rowAside,
  rowOfEntity,
} from './rows.js';
import { innerScope, type Scope, scopeOfVariable, withoutAggregates } from './scope.js';

const aggregateNames: ReadonlySet<string> = new Set(['avg', 'count', 'max', 'min', 'sum']);
const nested = 'An aggregate cannot stand in an aggregate.';

/** Binds a call when it is an aggregate; undefined when it is not. */
export function bindAggregate(scope: Scope, call: CallExpression): Bound | undefined {
  const isExists = call.name === 'exists';
  if (!isExists && !isAggregateName(call.name)) return undefined;
  const [first, ...rest] = call.receiver ? [call.receiver, ...call.arguments] : call.arguments;
  const related = first && relatedRows(scope, first);
  if (related) return bindRelated(scope, call, related, rest);
  if (!isAggregateName(call.name)) throw noRelation(call);
  if (scope.aggregates !== 'allowed') {
    throw new EngineError('wrong-arguments', scope.aggregates.refused, { span: call.nameSpan });
  }
  return bindGroupAggregate(withoutAggregates(scope, nested), call, call.name, first, rest);
}

function isAggregateName(name: string): name is AggregateName {
  return aggregateNames.has(name);
}

function bindGroupAggregate(
  scope: Scope,
  { span, name: written }: CallExpression,
  name: AggregateName,
  first: Expression | undefined,
  rest: readonly Expression[],
): Bound {
  if (rest.length > 0 || (!first && name !== 'count')) {
    throw new EngineError('wrong-arguments', `'${written}' takes one value.`, { span });
  }
  const { argument, distinct } = bindArgument(scope, first);
  return { kind: 'aggregate', name, argument, distinct, type: resultType(name, argument), span };
}

interface AggregateArgument {
  readonly argument: Bound | undefined;
  readonly distinct: boolean;
}

/** `x` or `distinct(x)` */
function bindArgument(scope: Scope, expression: Expression | undefined): AggregateArgument {
  if (!expression) return { argument: undefined, distinct: false };
  const isDistinct = expression.kind === 'call' && expression.name === 'distinct';
  if (!isDistinct) return { argument: bindExpression(scope, expression), distinct: false };
  const { receiver, arguments: given, span } = expression;
  const [inner, extra] = receiver ? [receiver, ...given] : given;
  if (!inner || extra)
    throw new EngineError('wrong-arguments', "'distinct' takes one value.", { span });
  return { argument: bindExpression(scope, inner), distinct: true };
}

/** `count` integer, `sum` and `avg` decimal, `min` and `max` their operand's. */
function resultType(name: AggregateName, argument: Bound | undefined): PropertyType {
  switch (name) {
    case 'count':
      return 'integer';
    case 'sum':
    case 'avg':
      if (argument) requireType(argument, 'decimal', `'${name}'`);
      return 'decimal';
    case 'max':
    case 'min':
      return (argument && typeOf(argument)) ?? 'any';
  }
}

/** The rows of a to-many relation, and the filters that stand behind it. */
interface RelatedRows {
  readonly relation: Relation;
  /** The row that the relation starts from. */
  readonly outer: RowSource;
  /** Its value there. */
  readonly key: Bound;
  readonly filters: readonly LambdaExpression[];
}

function relatedRows(scope: Scope, expression: Expression): RelatedRows | undefined {
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

function bindRelated(
  scope: Scope,
  { name, span, nameSpan }: CallExpression,
  { relation, outer, key, filters }: RelatedRows,
  rest: readonly Expression[],
): BoundSubselect {
  const row = rowOfEntity(scope.context, relation.entity, nameSpan, outer.sentence);
  requireOneSource(outer, row, { name: relation.name, span: nameSpan });
  const [lambda, extra] = rest;
  if (extra || (lambda && lambda.kind !== 'lambda')) throw wrongRelated(name, span);
  const aggregates = { refused: nested };
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
  const { argument, distinct } = bindArgument(inner, lambda?.body);
  const type = resultType(name, argument);
  return { ...base, name, argument, distinct, filter: allOf(conditions), type };
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

function noRelation({ nameSpan: span }: CallExpression): EngineError {
  const hint = 'For example exists(p.details, d=>d.quantity>10).';
  return new EngineError('wrong-arguments', "'exists' takes a relation to many.", { span, hint });
}
