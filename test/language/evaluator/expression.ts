/** Expressions over rows in memory: the syntax tree itself, without types and without SQL. */
import type {
  BinaryExpression,
  CallExpression,
  Expression,
  LambdaExpression,
  MemberExpression,
  NameExpression,
} from '../../../src/engine/language/ast.js';
import { add, decimal, divide, modulo, multiply, negate, parseDecimal } from './decimal.js';
import { callFunction } from './functions.js';
import { type EntityInfo, entityNamed, related, type Row } from './sample-domain.js';
import { compareValues, dataValue, identityOf, isDecimal, textOf, type Value } from './value.js';

/** A variable and the row that it stands for; undefined where a join found none. */
export interface Variable {
  readonly entity: EntityInfo;
  readonly row: Row | undefined;
}

export interface Place {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly data: unknown;
  /** Names that the map made, for the variable of a sort or a having. */
  readonly outputs?: ReadonlyMap<string, Expression>;
  /** The places of a group's rows, where aggregates may stand. */
  readonly group?: readonly Place[];
}

export function evaluate(place: Place, expression: Expression): Value {
  switch (expression.kind) {
    case 'text':
      return expression.value;
    case 'number':
      return parseDecimal(expression.text);
    case 'boolean':
      return expression.value;
    case 'null':
      return null;
    case 'name':
    case 'member':
      return evaluatePath(place, expression);
    case 'unary':
      return evaluateUnary(expression.operator, evaluate(place, expression.operand));
    case 'binary':
      return evaluateBinary(place, expression);
    case 'conditional':
      return evaluate(place, expression.test) === true
        ? evaluate(place, expression.consequent)
        : evaluate(place, expression.alternate);
    case 'call':
      return evaluateCall(place, expression);
    default:
      throw new Error(`no value: ${expression.kind}`);
  }
}

/** The place of a lambda's body whose variable stands for `row`. */
export function within(place: Place, lambda: LambdaExpression, { entity, row }: Variable): Place {
  const variables = new Map(place.variables);
  if (lambda.parameter !== undefined) variables.set(lambda.parameter, { entity, row });
  return { variables, data: place.data };
}

function evaluatePath(place: Place, expression: NameExpression | MemberExpression): Value {
  const names = namesOf(expression);
  const [first = '', ...rest] = names;
  const variable = place.variables.get(first);
  if (!variable) return dataValue(dataAt(place.data, names));
  const output = rest.length === 1 ? place.outputs?.get(rest[0] ?? '') : undefined;
  if (output) return evaluate(withoutOutputs(place), output);
  return follow(variable, rest);
}

function withoutOutputs({ variables, data, group }: Place): Place {
  return { variables, data, ...(group && { group }) };
}

function follow({ entity, row }: Variable, names: readonly string[]): Value {
  const [first = '', ...rest] = names;
  if (rest.length === 0) return row?.get(first) ?? null;
  return follow(joined({ entity, row }, first), rest);
}

function joined({ entity, row }: Variable, name: string): Variable {
  const relation = entity.relations.get(name);
  if (!relation) throw new Error(`no relation ${name}`);
  return { entity: entityNamed(relation.entity), row: row && related(row, relation)[0] };
}

function namesOf(expression: Expression): string[] {
  if (expression.kind === 'name') return [expression.name];
  if (expression.kind !== 'member') throw new Error('no path');
  return [...namesOf(expression.object), expression.name];
}

function dataAt(data: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((at, name) => Object(at)[name], data);
}

function evaluateUnary(operator: '!' | '-' | '~', value: Value): Value {
  if (value === null) return null;
  if (operator === '!') return value !== true;
  if (!isDecimal(value)) throw new Error('no number');
  return operator === '-' ? negate(value) : decimal(~value.units);
}

function evaluateBinary(place: Place, expression: BinaryExpression): Value {
  const { operator } = expression;
  const left = evaluate(place, expression.left);
  if (operator === '??') return left ?? evaluate(place, expression.right);
  const right = evaluate(place, expression.right);
  if (operator === '&&') return and(left, right);
  if (operator === '||') return not(and(not(left), not(right)));
  const isEquality = operator === '==' || operator === '!=';
  if (isEquality && (isNull(place, expression.left) || isNull(place, expression.right))) {
    const other = isNull(place, expression.right) ? left : right;
    return (other === null) === (operator === '==');
  }
  if (left === null || right === null) return null;
  return onKnown(operator, left, right);
}

/** Three values: false wins over null. */
function and(left: Value, right: Value): Value {
  if (left === false || right === false) return false;
  return left === null || right === null ? null : true;
}

function not(value: Value): Value {
  return value === null ? null : value !== true;
}

/** The word null, or a parameter that is null. */
function isNull(place: Place, expression: Expression): boolean {
  if (expression.kind === 'null') return true;
  if (expression.kind !== 'name' && expression.kind !== 'member') return false;
  const [first = ''] = namesOf(expression);
  return !place.variables.has(first) && evaluatePath(place, expression) === null;
}

function onKnown(
  operator: Exclude<BinaryExpression['operator'], '&&' | '||' | '??'>,
  left: Exclude<Value, null>,
  right: Exclude<Value, null>,
): Value {
  switch (operator) {
    case '==':
      return compareValues(left, right) === 0;
    case '!=':
      return compareValues(left, right) !== 0;
    case '<':
      return compareValues(left, right) < 0;
    case '<=':
      return compareValues(left, right) <= 0;
    case '>':
      return compareValues(left, right) > 0;
    case '>=':
      return compareValues(left, right) >= 0;
    default:
      break;
  }
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) {
    return textOf(left) + textOf(right);
  }
  if (!isDecimal(left) || !isDecimal(right)) throw new Error('no numbers');
  switch (operator) {
    case '+':
      return add(left, right);
    case '-':
      return add(left, negate(right));
    case '*':
      return multiply(left, right);
    case '/':
      return divide(left, right);
    case '%':
      return modulo(left, right);
    case '&':
      return decimal(left.units & right.units);
    case '|':
      return decimal(left.units | right.units);
    case '^':
      return decimal(left.units ^ right.units);
    case '<<':
      return decimal(left.units << right.units);
    case '>>':
      return decimal(left.units >> right.units);
    default:
      throw new Error(`the evaluator has no ${operator}`);
  }
}

const aggregates = new Set(['count', 'sum', 'avg', 'min', 'max', 'exists']);

/** Whether an aggregate of a group stands in the expression. */
export function isAggregate(expression: Expression): boolean {
  switch (expression.kind) {
    case 'call':
      return isOfGroup(expression) || expression.arguments.some(isAggregate);
    case 'binary':
      return isAggregate(expression.left) || isAggregate(expression.right);
    case 'unary':
      return isAggregate(expression.operand);
    default:
      return false;
  }
}

/** `sum(p.x)`; what is called on a relation is of the relation's rows. */
function isOfGroup({ name, receiver }: CallExpression): boolean {
  return aggregates.has(name) && name !== 'exists' && receiver === undefined;
}

function evaluateCall(place: Place, call: CallExpression): Value {
  if (aggregates.has(call.name)) return evaluateAggregate(place, call);
  if (call.name === 'in') return isIn(place, call);
  const given = call.receiver ? [call.receiver, ...call.arguments] : call.arguments;
  const values = given.map((each) => evaluate(place, each));
  return call.name === 'between' ? isBetween(values) : callFunction(call.name, values);
}

/** `value >= low && value <= high` */
function isBetween([value = null, low = null, high = null]: readonly Value[]): Value {
  const aboveLow = value === null || low === null ? null : compareValues(value, low) >= 0;
  const belowHigh = value === null || high === null ? null : compareValues(value, high) <= 0;
  return and(aboveLow, belowHigh);
}

/** Null where no item equals the value, but the value or an item is null; nothing is in an empty list. */
function isIn(place: Place, { arguments: [value, list] }: CallExpression): Value {
  if (!value || !list) throw new Error('in takes two');
  const items = itemsOf(place, list);
  if (items.length === 0) return false;
  const wanted = evaluate(place, value);
  if (wanted === null) return null;
  if (items.some((item) => item !== null && compareValues(wanted, item) === 0)) return true;
  return items.includes(null) ? null : false;
}

function itemsOf(place: Place, list: Expression): Value[] {
  if (list.kind === 'list') return list.items.map((item) => evaluate(place, item));
  const items = dataAt(place.data, namesOf(list));
  return Array.isArray(items) ? items.map(dataValue) : [null];
}

/** `sum(p.x)` of a group, `p.details.sum(d=>d.x)`, `exists(p.details, d=>…)`. */
function evaluateAggregate(place: Place, call: CallExpression): Value {
  const isExists = call.name === 'exists';
  const path = isExists ? call.arguments[0] : call.receiver;
  const lambda = call.arguments.find((each) => each.kind === 'lambda');
  if (!path) {
    const rows = place.group ?? [];
    return aggregate(call.name, rows.length, valuesOf(rows, call.arguments[0]));
  }
  const places = relatedPlaces(place, path, lambda);
  if (isExists) return places.some((each) => !lambda || evaluate(each, lambda.body) === true);
  return aggregate(call.name, places.length, valuesOf(places, lambda?.body));
}

/** The values, nulls left out; of `distinct(x)` each once; undefined when rows are counted. */
function valuesOf(places: readonly Place[], expression: Expression | undefined) {
  if (!expression) return undefined;
  const isDistinct = expression.kind === 'call' && expression.name === 'distinct';
  const inner = isDistinct ? expression.arguments[0] : expression;
  if (!inner) throw new Error('distinct takes one');
  const values = places.map((each) => evaluate(each, inner)).filter((value) => value !== null);
  if (!isDistinct) return values;
  return [...new Map(values.map((value) => [identityOf(value), value])).values()];
}

function aggregate(
  name: string,
  rows: number,
  values: readonly Exclude<Value, null>[] | undefined,
): Value {
  if (name === 'count') return decimal(BigInt(values?.length ?? rows));
  const [first, ...others] = values ?? [];
  if (first === undefined) return null;
  if (name === 'min' || name === 'max') {
    const sign = name === 'min' ? 1 : -1;
    return others.reduce((a, b) => (sign * compareValues(b, a) < 0 ? b : a), first);
  }
  const sum = [first, ...others].filter(isDecimal).reduce(add);
  return name === 'sum' ? sum : divide(sum, decimal(BigInt(others.length + 1)));
}

/** The rows of `p.details`, or of `p.details.filter(d=>…)`. */
function relatedPlaces(
  place: Place,
  path: Expression,
  lambda: LambdaExpression | undefined,
): Place[] {
  if (path.kind === 'call') {
    const [filter] = path.arguments;
    if (!path.receiver || filter?.kind !== 'lambda') throw new Error('no relation');
    return rowsAt(place, path.receiver)
      .filter((row) => evaluate(within(place, filter, row), filter.body) === true)
      .map((row) => (lambda ? within(place, lambda, row) : place));
  }
  return rowsAt(place, path).map((row) => (lambda ? within(place, lambda, row) : place));
}

function rowsAt(place: Place, path: Expression): Variable[] {
  const [first = '', ...names] = namesOf(path);
  let at = place.variables.get(first);
  for (const name of names.slice(0, -1)) at = at && joined(at, name);
  const relation = at?.entity.relations.get(names.at(-1) ?? '');
  if (!relation) throw new Error('no relation');
  const entity = entityNamed(relation.entity);
  return at?.row ? related(at.row, relation).map((row) => ({ entity, row })) : [];
}
