/** Binds expressions over the rows of a to-many relation, as correlated sub-selects. */
import { EngineError, invariant } from '../errors.js';
import type { CallExpression, Expression } from '../language/ast.js';
import type { Relation } from '../schema/model.js';
import { boundNull, condition, literalOf } from './added.js';
import { aggregateType, bindArgument, isAggregateName } from './bind-aggregate.js';
import { bindExpression } from './bind-expression.js';
import { takeCalls } from './bind-include.js';
import { allOf, bindCondition, lambdaOf } from './bind-lambda.js';
import { noteOrdered, typeOf } from './bind-operators.js';
import { bindSort, reverseSort, usualSort } from './bind-sort.js';
import type { AggregateName, Bound, BoundSubselect, RowSource } from './logical.js';
import { chosenParameters } from './narrow-bound.js';
import { markSlot } from './parameters.js';
import {
  requireOneSource,
  joinedRow,
  leadsToMany,
  relationIn,
  requiredColumn,
  requiredColumns,
  auxiliaryRow,
  linkColumns,
  rowOfEntity,
} from './rows.js';
import { allWithin, rowsFrom, somePart } from './same-bound.js';
import { innerScope, type Scope, scopeOfVariable } from './scope.js';

export const nestedAggregate = 'An aggregate cannot contain another aggregate.';

/** Whether the function of that name applies only to the rows of a relation. */
export function isOfRelation(name: string): name is 'exists' | 'first' | 'last' {
  return name === 'exists' || name === 'first' || name === 'last';
}

/** An example of such a call, for a hint. */
export function exampleOfRelated(name: string): string {
  if (name === 'exists') return 'exists(p.details, d=>d.quantity>10)';
  const isOne = name === 'first' || name === 'last';
  return isOne
    ? `p.orders.sort(o=>o.orderDate).${name}(o=>o.freight)`
    : `p.details.${name}(d=>d.quantity)`;
}

/** The rows of a to-many relation, and the clauses after it. */
export interface RelatedRows {
  readonly relation: Relation;
  /** The row that the relation starts from. */
  readonly outer: RowSource;
  /** The values of the relation's key in that row. */
  readonly keys: readonly Bound[];
  readonly filters: readonly CallExpression[];
  readonly sort: CallExpression | undefined;
}

const clausesOfRelated: ReadonlySet<string> = new Set(['filter', 'where', 'sort', 'order']);

/**
 * The rows that an expression such as `p.details` or `p.details.filter(…)` names; undefined for any
 * other.
 */
export function relatedRows(scope: Scope, expression: Expression): RelatedRows | undefined {
  const { head, calls } = takeCalls(expression, clausesOfRelated);
  if (head.kind !== 'member') return undefined;
  const start = rowOfPath(scope, head.object);
  const relation = start && relationIn(scope.context, start.row, head.name);
  if (!start || !relation || !leadsToMany(relation)) return undefined;
  const { auxiliary } = start;
  const keys = requiredColumns(start.row, relation.from).map((own) =>
    auxiliary ? { ...auxiliary, argument: own, type: own.type } : own,
  );
  const sorts = calls.filter(({ name }) => isSort(name));
  if (sorts[1]) throw repeatedSort(sorts[1]);
  const filters = calls.filter(({ name }) => !isSort(name));
  return { relation, outer: start.row, keys, filters, sort: sorts[0] };
}

function isSort(name: string): boolean {
  return name === 'sort' || name === 'order';
}

function repeatedSort({ name, nameSpan: span }: CallExpression): EngineError {
  return new EngineError('duplicate-clause', `Clause '${name}' is given twice.`, { span });
}

/**
 * The row at the end of a path. `auxiliary`: the sub-select that reads the row, if it is not joined.
 */
interface PathRow {
  readonly row: RowSource;
  readonly auxiliary?: BoundSubselect | undefined;
}

/** The row that `p` or `p.customer` stands for; undefined for anything else. */
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
  if (context.predicateDepth !== undefined) throw tooFar(span);
  if (start.row === context.unjoined) {
    const auxiliary = auxiliaryRow(context, start.row, { relation, span });
    return { row: auxiliary.row, auxiliary };
  }
  return { ...start, row: joinedRow(context, start.row, { relation, span }) };
}

/**
 * Binds a sub-select: an aggregate, a value of the first or last row, or a test whether there are any
 * rows.
 */
export function bindRelated(
  scope: Scope,
  { name, span, nameSpan }: CallExpression,
  { relation, outer, keys, filters, sort: sorted }: RelatedRows,
  rest: readonly Expression[],
): BoundSubselect {
  const row = rowOfEntity(scope.context, relation.entity, nameSpan, outer.statement);
  requireOneSource(outer, row, { relation, span: nameSpan });
  const [lambda, extra] = rest;
  if (extra || (lambda && lambda.kind !== 'lambda')) throw wrongRelated(name, span);
  const aggregates = { refused: nestedAggregate };
  const conditions = filters.map((each) =>
    bindCondition(scope, row, lambdaOf(each), { aggregates }),
  );
  const sort = bindSort(scope, row, sorted, { outputs: [], grouped: false });
  const filter = () => allOf(conditions);
  const ties = linkColumns(scope.context, row, { relation, span: nameSpan });
  const base = { kind: 'subselect', keys, ties, row, span } as const;
  if (name === 'exists') {
    if (lambda) conditions.push(bindCondition(scope, row, lambda, { aggregates }));
    const question = { argument: undefined, distinct: false, type: 'boolean' } as const;
    return { ...base, ...question, name, filter: filter() };
  }
  if (!lambda && name !== 'count') throw wrongRelated(name, span);
  const inner = innerScope(scope, lambda?.parameter, row, { aggregates });
  if (isAggregateName(name)) {
    const aggregate = bindAggregated(inner, name, row, relation, lambda?.body);
    return { ...base, ...aggregate, name, filter: filter() };
  }
  invariant(lambda, 'a value of a row');
  const argument = bindExpression(inner, lambda.body);
  for (const { value } of sort) noteOrdered(value);
  const settled = sort.length > 0 ? sort : usualSort(scope.context, row);
  return {
    ...base,
    name: 'first',
    argument,
    distinct: false,
    filter: filter(),
    sort: name === 'last' ? reverseSort(settled) : settled,
    type: typeOf(argument) ?? 'any',
  };
}

/** Binds an aggregate over related rows. */
function bindAggregated(
  inner: Scope,
  name: AggregateName,
  row: RowSource,
  relation: Relation,
  body: Expression | undefined,
): Pick<BoundSubselect, 'argument' | 'distinct' | 'type'> {
  const { argument, distinct } = bindArgument(inner, body);
  const type = aggregateType(name, argument);
  if (!argument) return { argument, distinct, type };
  const isTest = name === 'count' && !distinct;
  // A boolean is counted if it is true, any other value if it is not null.
  if (isTest) for (const { slot } of chosenParameters(argument)) markSlot(slot, 'isConverted');
  const isCondition = isTest && typeOf(argument) === 'boolean';
  const counted = isCondition ? oneWhere(argument) : argument;
  return { argument: ofItsRows(counted, row, relation), distinct, type };
}

/** The argument of `count` over a condition: a value that is null unless the condition is true. */
function oneWhere(test: Bound): Bound {
  const branches = { consequent: literalOf('integer', '1'), alternate: boundNull };
  return { kind: 'conditional', test, ...branches, type: 'integer', span: test.span };
}

/**
 * The argument of an aggregate, changed if necessary so that it reads a column of the aggregated rows.
 * A database assigns an aggregate that reads only columns of an outer query to that query (ISO 9075-2,
 * 6.9: the qualifying query of an aggregate), and MariaDB ignores what nested sub-selects read of the
 * aggregated rows when they also read rows further out.
 */
function ofItsRows(argument: Bound, row: RowSource, { to }: Relation): Bound {
  const own = rowsFrom(row);
  // A column in a sub-select does not count.
  if (somePart(argument, (part) => part.kind === 'column' && own.includes(part.row)))
    return argument;
  const parts = allWithin(argument);
  const rows = parts.flatMap((part) => (part.kind === 'subselect' ? rowsFrom(part.row) : []));
  const known = new Set([...own, ...rows]);
  if (!parts.some((part) => part.kind === 'column' && !known.has(part.row))) return argument;
  const { span } = argument;
  // The key of the relation is never null in related rows.
  const test = condition('!=', requiredColumn(row, to[0] ?? ''), boundNull, span);
  const type = typeOf(argument) ?? 'any';
  return { kind: 'conditional', test, consequent: argument, alternate: boundNull, type, span };
}

function tooFar(span: CallExpression['span']): EngineError {
  const message = 'A filter of the schema can aggregate only relations of the row itself.';
  return new EngineError('unsupported', message, { span });
}

function wrongRelated(name: string, span: CallExpression['span']): EngineError {
  const hint = `For example ${exampleOfRelated(name)}.`;
  const message = `'${name}' over a relation takes one lambda.`;
  return new EngineError('wrong-arguments', message, { span, hint });
}
