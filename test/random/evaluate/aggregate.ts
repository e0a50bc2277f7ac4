/** Evaluates aggregates over the rows of a group and over those of a relation. */
import type {
  CallExpression,
  Expression,
  LambdaExpression,
} from '../../../src/engine/language/ast.js';
import { add, decimal, divide, integer } from './decimal.js';
import { withoutType } from './operators.js';
import { manyAt, type Place, type Variable, within } from './place.js';
import { sortBy, sortPlaces } from './sort.js';
import { unsure } from './unsure.js';
import {
  compareValues,
  double,
  doubleOf,
  identityOf,
  isDecimal,
  isEnumValue,
  isNumeric,
  type Known,
  type Value,
} from './value.js';

/** The squares of larger doubles overflow, and PostgreSQL sums them to compute an average. */
const LARGE = 1e150;

const names = new Set(['count', 'sum', 'avg', 'min', 'max']);

/** Whether the expression contains an aggregate of a group. */
export function hasAggregate(expression: Expression): boolean {
  switch (expression.kind) {
    case 'call': {
      const isOfRelation = expression.arguments.some(({ kind }) => kind === 'lambda');
      if (names.has(expression.name) && !isOfRelation && !isBareCount(expression)) return true;
      if (isOfRelation) return false;
      const { receiver, arguments: given } = expression;
      return given.some(hasAggregate) || (receiver !== undefined && hasAggregate(receiver));
    }
    case 'binary':
      return hasAggregate(expression.left) || hasAggregate(expression.right);
    case 'unary':
      return hasAggregate(expression.operand);
    case 'conditional':
      return [expression.test, expression.consequent, expression.alternate].some(hasAggregate);
    case 'list':
      return expression.items.some(hasAggregate);
    default:
      return false;
  }
}

/** `p.details.count()`, with or without a filter. Random queries call no other count. */
function isBareCount({ name, receiver, arguments: given }: CallExpression): boolean {
  return name === 'count' && receiver !== undefined && given.length === 0;
}

/** `sum(p.x)` of a group, `p.details.sum(d=>d.x)`, `exists(p.details)`; undefined for other calls. */
export function evaluateAggregate(place: Place, call: CallExpression): Value | undefined {
  const { name } = call;
  const [first, ...rest] = call.receiver ? [call.receiver, ...call.arguments] : call.arguments;
  const places = first && relatedPlaces(place, first, name === 'first' || name === 'last');
  const lambda = rest.find((each) => each.kind === 'lambda');
  if (places) return ofRelation(place, name, places, lambda);
  if (!names.has(name)) return undefined;
  const group = place.group ?? [];
  return aggregate(name, group.length, valuesOf(group, first));
}

/** A row of a relation, with the scope of the lambda through which it was reached. */
type RelatedRow = Variable;

function ofRelation(
  place: Place,
  name: string,
  rows: readonly RelatedRow[],
  lambda: LambdaExpression | undefined,
): Value | undefined {
  const places = rows.map((row) => (lambda ? within(place, lambda, row) : place));
  if (name === 'exists') {
    return places.some((each) => !lambda || each.evaluate(each, lambda.body) === true);
  }
  if (name === 'first' || name === 'last') {
    const chosen = name === 'first' ? places[0] : places.at(-1);
    const value = chosen && lambda ? chosen.evaluate(chosen, lambda.body) : null;
    return isEnumValue(value) ? { ...value, isSelected: true } : value;
  }
  if (!names.has(name)) return undefined;
  const values = valuesOf(places, lambda?.body);
  // `count` counts the rows for which the condition is true.
  const counted = name === 'count' ? values?.filter((value) => value !== false) : values;
  return aggregate(name, places.length, counted);
}

/**
 * The rows of `p.details`, `p.details.filter(d=>…)` or `p.details.sort(d=>…)`, by primary key if
 * requested.
 */
function relatedPlaces(
  place: Place,
  expression: Expression,
  isOrdered: boolean,
): readonly RelatedRow[] | undefined {
  if (expression.kind !== 'call') {
    const rows = manyAt(place, expression);
    return isOrdered ? rows && byPrimaryKey(rows) : rows;
  }
  const { name, receiver, arguments: given } = expression;
  const [lambda] = given;
  if (!receiver || lambda?.kind !== 'lambda') return undefined;
  const rows = relatedPlaces(place, receiver, isOrdered);
  if (!rows) return undefined;
  if (name === 'filter' || name === 'where') {
    return rows.filter((row) => place.evaluate(within(place, lambda, row), lambda.body) === true);
  }
  if (name !== 'sort' && name !== 'order') return undefined;
  const classes = sortPlaces(rows, lambda, (row) => within(place, lambda, row));
  if (classes.some(({ length }) => length > 1)) unsure('the first of several');
  return classes.flat();
}

/** In the order that `first` and `last` use. */
function byPrimaryKey(rows: readonly RelatedRow[]): readonly RelatedRow[] {
  const key = rows[0]?.entity.primaryKey ?? [];
  if (key.length === 0 && rows.length > 1) unsure('the first of rows without a key');
  return sortBy(rows, ({ row }) =>
    key.map((name) => ({ value: row?.get(name) ?? null, descending: false })),
  ).flat();
}

/** The values without nulls, each once for `distinct(x)`. Undefined if rows are counted. */
function valuesOf(
  places: readonly Place[],
  expression: Expression | undefined,
): readonly Known[] | undefined {
  if (!expression) return undefined;
  const isDistinct = expression.kind === 'call' && expression.name === 'distinct';
  const inner = isDistinct ? (expression.receiver ?? expression.arguments[0]) : expression;
  if (!inner) throw new Error('distinct takes one');
  const values = places.map((each) => each.evaluate(each, inner)).filter((value) => value !== null);
  if (!isDistinct) return values;
  return [...new Map(values.map((value) => [identityOf(value), value])).values()];
}

function aggregate(name: string, rows: number, values: readonly Known[] | undefined): Value {
  if (name === 'count') return integer(BigInt(values?.length ?? rows));
  const [first, ...others] = values ?? [];
  if (first === undefined) return null;
  if (name === 'min' || name === 'max') {
    const sign = name === 'min' ? 1 : -1;
    return others.reduce((a, b) => (sign * compareLoosely(b, a) < 0 ? b : a), first);
  }
  const numbers = [first, ...others].filter(isNumeric);
  if (!numbers.every(isDecimal)) {
    const values = numbers.map(doubleOf);
    const sum = values.reduce((a, b) => a + b, 0);
    if (values.some((each) => Math.abs(each) > LARGE)) unsure('a sum of large doubles');
    return double(name === 'sum' ? sum : sum / numbers.length, true);
  }
  const sum = numbers.map(withoutType).reduce(add);
  return name === 'sum' ? sum : divide(sum, decimal(BigInt(numbers.length)));
}

/** If two values are near each other, it does not matter which one is greater. */
function compareLoosely(a: Known, b: Known): number {
  const isNear = isNumeric(a) && isNumeric(b) && (a.near || b.near);
  return isNear ? doubleOf(a) - doubleOf(b) : compareValues(a, b);
}
