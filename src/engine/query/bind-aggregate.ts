/** Binds aggregates over the rows of a group, and what they share with aggregates over a relation. */
import { EngineError } from '../errors.js';
import type { CallExpression, Expression } from '../language/ast.js';
import type { PropertyType } from '../schema/model.js';
import { bindExpression } from './bind-expression.js';
import { noteOrdered, rejectOpaque, requireType, typeOf } from './bind-operators.js';
import {
  bindRelated,
  exampleOfRelated,
  isOfRelation,
  nestedAggregate,
  relatedRows,
} from './bind-related.js';
import type { AggregateName, Bound, BoundSubselect } from './logical.js';
import { nullWhenOfNulls } from './narrow-bound.js';
import { partsOf, sameSubselect } from './same-bound.js';
import type { Scope } from './scope.js';
import { isOrdered, nameType } from './types.js';

const aggregateNames: ReadonlySet<string> = new Set(['avg', 'count', 'max', 'min', 'sum']);

/** Binds a call if it is an aggregate; undefined otherwise. */
export function bindAggregate(scope: Scope, call: CallExpression): Bound | undefined {
  if (!isOfRelation(call.name) && !isAggregateName(call.name)) return undefined;
  const [first, ...rest] = call.receiver ? [call.receiver, ...call.arguments] : call.arguments;
  const related = first && relatedRows(scope, first);
  if (related) return nullWhenOfNulls(asGroupKey(scope, bindRelated(scope, call, related, rest)));
  if (!isAggregateName(call.name)) throw noRelation(call);
  if (scope.aggregates !== 'allowed') {
    throw new EngineError('wrong-arguments', scope.aggregates.refused, { span: call.nameSpan });
  }
  const inner = { ...scopeOfRows(scope), aggregates: { refused: nestedAggregate } };
  return bindGroupAggregate(inner, call, call.name, first, rest);
}

/** The scope in which the properties of the rows take precedence over columns of the map. */
function scopeOfRows(scope: Scope): Scope {
  const properties = new Set(scope.row?.entity.properties.map(({ name }) => name));
  return { ...scope, outputs: scope.outputs.filter(({ name }) => !properties.has(name)) };
}

/** In the sort or the condition of groups, a sub-select of a grouping key is that of the key. */
function asGroupKey({ context: { groupKeys = [] } }: Scope, bound: BoundSubselect): Bound {
  return groupKeys.map((key) => subselectIn(key, bound)).find(Boolean) ?? bound;
}

function subselectIn(value: Bound, wanted: BoundSubselect): Bound | undefined {
  if (value.kind === 'subselect') return sameSubselect(value, wanted) ? value : undefined;
  return partsOf(value)
    .map((part) => subselectIn(part, wanted))
    .find(Boolean);
}

export function isAggregateName(name: string): name is AggregateName {
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
  const type = aggregateType(name, argument);
  return nullWhenOfNulls({ kind: 'aggregate', name, argument, distinct, type, span });
}

/** Binds the argument of an aggregate: `x` or `distinct(x)`. Throws `wrong-arguments`. */
export function bindArgument(scope: Scope, expression: Expression | undefined) {
  if (expression?.kind !== 'call' || expression.name !== 'distinct') {
    return { argument: expression && bindExpression(scope, expression), distinct: false };
  }
  const argument = bindExpression(scope, onlyArgument(expression, 'value'));
  rejectOpaque([argument], 'Rows cannot be made distinct by');
  return { argument, distinct: true };
}

/** The argument of `distinct(p.x)` or `p.x.distinct()`. Throws `wrong-arguments`; `what` says what it takes. */
export function onlyArgument(call: CallExpression, what: string): Expression {
  const { receiver, arguments: given, name, span } = call;
  const [only, extra] = receiver ? [receiver, ...given] : given;
  if (only && !extra) return only;
  throw new EngineError('wrong-arguments', `'${name}' takes one ${what}.`, { span });
}

/**
 * The type of an aggregate: an integer for `count`, a decimal for `sum` and `avg`, the type of the
 * argument for `min` and `max`. Throws `type-mismatch`.
 */
export function aggregateType(name: AggregateName, argument: Bound | undefined): PropertyType {
  switch (name) {
    case 'count':
      return 'integer';
    case 'sum':
    case 'avg':
      if (argument) requireType(argument, 'decimal', `'${name}'`);
      return 'decimal';
    case 'max':
    case 'min': {
      if (argument) noteOrdered(argument);
      const type = (argument && typeOf(argument)) ?? 'any';
      if (isOrdered(type)) return type;
      const message = `'${name}' takes values that can be ordered, not ${nameType(type)}.`;
      throw new EngineError('type-mismatch', message, { span: argument?.span });
    }
  }
}

function noRelation({ name, nameSpan: span }: CallExpression): EngineError {
  const hint = `For example ${exampleOfRelated(name)}.`;
  const message = `'${name}' takes a relation to many.`;
  return new EngineError('wrong-arguments', message, { span, hint });
}
