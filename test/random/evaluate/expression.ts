/**
 * Evaluates expressions over rows in memory by walking the syntax tree, without types and without SQL.
 */
import type {
  BinaryExpression,
  CallExpression,
  Expression,
} from '../../../src/engine/language/ast.js';
import { evaluateAggregate } from './aggregate.js';
import type { Data } from './data.js';
import { parseDecimal } from './decimal.js';
import { callFunction } from './functions/call.js';
import { type JsonScalar, scalarBeside, scalarOf } from './json-value.js';
import { and, evaluateBinary, evaluateUnary, exactPower, not } from './operators.js';
import { dataAt, isParameter, namesOf, outputOf, type Place, valueAt } from './place.js';
import { entityNamed, itemTypeOf } from '../world/domain.js';
import { compareValues, dataValue, isArrayValue, isDecimal, plain, type Value } from './value.js';

/** The value. Throws `Unsure` if the language does not define it. */
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
      return evaluateUnary(
        expression.operator,
        scalarOf(
          evaluate(place, expression.operand),
          expression.operator === '!' ? 'boolean' : 'decimal',
        ),
      );
    case 'binary':
      return evaluateOperation(place, expression);
    case 'conditional':
      return asChoice(
        plain(
          scalarOf(evaluate(place, expression.test), 'boolean') === true
            ? evaluate(place, expression.consequent)
            : evaluate(place, expression.alternate),
        ),
        expression,
      );
    case 'call':
      return evaluateCall(place, expression);
    default:
      throw new Error(`no value: ${expression.kind}`);
  }
}

function evaluatePath(place: Place, expression: Expression): Value {
  const names = namesOf(expression) ?? [];
  const output = outputOf(place, names);
  if (!output) return valueAt(place, names);
  const { outputs: _, ...plain } = place;
  return evaluate(plain, output);
}

function evaluateOperation(place: Place, expression: BinaryExpression): Value {
  const { operator } = expression;
  const given = [
    plain(evaluate(place, expression.left)),
    plain(evaluate(place, expression.right)),
  ] as const;
  const [left, right] = operandsOf(operator, given);
  if (operator === '??') return asChoice(left ?? right, expression);
  if (operator === '&&') return and(left, right);
  if (operator === '||') return not(and(not(left), not(right)));
  if (operator === '==' || operator === '!=') {
    const isTested = isNull(place, expression.left) || isNull(place, expression.right);
    const isEither = left === null || right === null;
    if (isTested || (isEither && place.nullsEqual)) return (left === right) === (operator === '==');
  }
  if (left === null || right === null) return null;
  if (operator !== '**') return evaluateBinary(operator, left, right);
  const exact = place.hasExactPowers ? exactPower(left, right) : undefined;
  return exact ?? asPower(evaluateBinary(operator, left, right), expression.right);
}

/** Reads parts of JSON as the scalars that the operator takes. */
function operandsOf(
  operator: BinaryExpression['operator'],
  [left, right]: readonly [Value, Value],
): readonly [Value, Value] {
  const both = (type: JsonScalar) => [scalarOf(left, type), scalarOf(right, type)] as const;
  switch (operator) {
    case '&&':
    case '||':
      return both('boolean');
    case '+':
      return both([left, right].some((each) => typeof each === 'string') ? 'string' : 'decimal');
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '??':
      return [scalarOf(left, scalarBeside(right)), scalarOf(right, scalarBeside(left))];
    default:
      return both('decimal');
  }
}

const ofNumbers: readonly string[] = ['abs', 'floor', 'ceil', 'round', 'trunc', 'sign'];
const ofSame: readonly string[] = ['between', 'nvl', 'coalesce'];

/** Reads parts of JSON as the scalars that the function takes. */
function argumentsOf(name: string, given: readonly Value[]): readonly Value[] {
  if (ofSame.includes(name))
    return given.map((each) => scalarOf(each, scalarBeside(given.at(-1) ?? null)));
  return given.map((each) => scalarOf(each, ofNumbers.includes(name) ? 'decimal' : 'string'));
}

/** Only a square is exact, and only if the exponent is written as 2: see docs/language.md, "Types". */
function asPower(value: Value, exponent: Expression | undefined): Value {
  if (exponent?.kind === 'number' || value === null || !isDecimal(value)) return value;
  return { ...value, near: true };
}

/** The digits that a double always keeps. */
const DOUBLE_DIGITS = 15;

/** Beside a power or a root, MariaDB computes a decimal as a double: see docs/databases.md. */
function asChoice(value: Value, expression: Expression): Value {
  if (value === null || !isDecimal(value)) return value;
  if (String(value.units).length <= DOUBLE_DIGITS) return value;
  const isBeside = /"(operator|name)":"(\*\*|\/\/|power)"/.test(JSON.stringify(expression));
  return isBeside ? { ...value, near: true } : value;
}

/** Whether the expression is the literal null, or a parameter that is null. */
function isNull(place: Place, expression: Expression): boolean {
  if (expression.kind === 'null') return true;
  return isParameter(place, expression) && evaluatePath(place, expression) === null;
}

function evaluateCall(place: Place, call: CallExpression): Value {
  const aggregate = evaluateAggregate(place, call);
  if (aggregate !== undefined) return aggregate;
  const given = call.receiver ? [call.receiver, ...call.arguments] : call.arguments;
  const [first, second, ...others] = given;
  if (call.name === 'in' && first && second) {
    // The items may also be separate arguments.
    const items = [second, ...others];
    const list: Expression = others.length > 0 ? { ...call, kind: 'list', items } : second;
    return isIn(place, first, list);
  }
  if (listSearches.includes(call.name) && first && second && isList(place, first)) {
    return isIn(place, second, first);
  }
  const values = argumentsOf(
    call.name,
    given.map((each) => plain(evaluate(place, each))),
  );
  const value = callFunction(call.name, values);
  return call.name === 'power' ? asPower(value, second) : asChoice(value, call);
}

const listSearches: readonly string[] = ['includes', 'contains'];

function isList(place: Place, expression: Expression): boolean {
  if (expression.kind === 'list' || isOfArrays(place, expression)) return true;
  return isParameter(place, expression) && Array.isArray(listAt(place, expression));
}

/**
 * Null if no item equals the value, but the value or an item is null. An empty list contains nothing.
 */
function isIn(place: Place, value: Expression, list: Expression): Value {
  if (isOfArrays(place, list)) return isItem(evaluate(place, value), evaluate(place, list));
  const items = itemsOf(place, list);
  if (items.length === 0) return false;
  const wanted = scalarOf(evaluate(place, value), scalarBeside(items[0] ?? null));
  if (wanted === null) return null;
  const equals = items.some((item) => item !== null && compareValues(wanted, item) === 0);
  return equals ? true : items.includes(null) ? null : false;
}

/** A null is never found in an array. */
function isItem(value: Value, array: Value): Value {
  if (array === null || !isArrayValue(array)) return null;
  if (value === null) return false;
  return array.items.some((item) => item !== null && compareValues(value, item) === 0);
}

/** Whether the expression is a property whose values are arrays. */
function isOfArrays({ domain, variables }: Place, expression: Expression): boolean {
  const [first = '', ...rest] = namesOf(expression) ?? [];
  let entity = variables.get(first)?.entity;
  for (const name of rest.slice(0, -1)) {
    const relation = entity?.relations.find((each) => each.name === name);
    if (!relation) return false;
    entity = entityNamed(domain, relation.entity);
  }
  const property = entity?.properties.find((each) => each.name === rest.at(-1));
  return property !== undefined && itemTypeOf(property.type) !== undefined;
}

function itemsOf(place: Place, list: Expression): readonly Value[] {
  if (list.kind === 'list') return list.items.map((item) => evaluate(place, item));
  const items = listAt(place, list);
  return Array.isArray(items) ? items.map(dataValue) : [null];
}

function listAt(place: Place, list: Expression): Data | undefined {
  return dataAt(place.data, namesOf(list) ?? []);
}
