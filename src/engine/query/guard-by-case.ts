/**
 * Stops a query's conditions from being evaluated on hidden rows, where an error, or the time of a slow
 * condition, would leak their values. A database may evaluate the conditions of a WHERE in any order; CASE
 * fixes the order.
 */
import { boundNull, condition, countOfRows, literalOf, noSpan } from './added.js';
import { allOf } from './bind-lambda.js';
import { typeOf } from './bind-operators.js';
import type { Bound, RowSource } from './logical.js';
import { requiredColumn, rowConditions } from './rows.js';
import { partsOf, partsOfSubselect, someWithin } from './same-bound.js';

/** The filter, with conditions that may fail or take long restricted to visible rows. */
export function guardFilter(row: RowSource, filter: Bound): Bound {
  const test = presenceOf(row);
  return test ? guardByCase(filter, test) : filter;
}

/** The same for a filter that reads no joined row. */
export function guardOwnFilter(row: RowSource, filter: Bound): Bound {
  const test = allOf(rowConditions(row));
  return test ? guardByCase(filter, test) : filter;
}

/**
 * The condition on groups, always with an aggregate: a database may evaluate one without an aggregate
 * before it groups the rows.
 */
export function guardHaving(row: RowSource, having: Bound): Bound {
  return presenceOf(row) ? guardByCase(having, anyGroup) : having;
}

/** A condition that makes one group of all rows. */
export const anyGroup = condition('>=', countOfRows, literalOf('integer', '0'));

function guardByCase(guarded: Bound, test: Bound): Bound {
  if (guarded.kind === 'binary' && guarded.operator === '&&') {
    const { left, right } = guarded;
    return { ...guarded, left: guardByCase(left, test), right: guardByCase(right, test) };
  }
  if (!mayFail(guarded) && isQuick(guarded)) return guarded;
  const branches = { test, consequent: guarded, alternate: literalOf('boolean', 'false') };
  return { kind: 'conditional', ...branches, type: 'boolean', span: noSpan };
}

/**
 * The condition that a row and all rows joined to it are visible; undefined if none of them is
 * restricted.
 */
function presenceOf(row: RowSource): Bound | undefined {
  const joined = [...row.joins.values()].flatMap((join) => {
    const test = presenceOf(join.row);
    if (!test) return [];
    const left = requiredColumn(join.row, join.relation.to[0] ?? '');
    return [condition('||', condition('==', left, boundNull), test)];
  });
  return allOf([...rowConditions(row), ...joined]);
}

const sureOperators: ReadonlySet<string> = new Set([
  ...['==', '!=', '<', '<=', '>', '>=', '&&', '||', '??'],
]);

const sureFunctions: ReadonlySet<string> = new Set([
  ...['between', 'in', 'includes', 'contains', 'startsWith', 'endsWith'],
  ...['isNull', 'isNotNull', 'isEmpty', 'isNotEmpty', 'nvl', 'nvl2'],
  ...['length', 'lower', 'upper'],
]);

/**
 * Whether the database does not read other rows for each row, which would let a client make the condition slow. It
 * joins an `exists` that is a condition by itself, which CASE would prevent.
 */
function isQuick(condition: Bound): boolean {
  return isJoined(condition) || !someWithin(condition, ({ kind }) => kind === 'subselect');
}

function isJoined(condition: Bound): boolean {
  if (condition.kind === 'unary' && condition.operator === '!') return isJoined(condition.operand);
  if (condition.kind !== 'subselect' || condition.name !== 'exists') return false;
  return condition.filter === undefined || conjuncts(condition.filter).every(isQuick);
}

/** The conditions that `&&` joins. */
export function conjuncts(condition: Bound): readonly Bound[] {
  if (condition.kind !== 'binary' || condition.operator !== '&&') return [condition];
  return [...conjuncts(condition.left), ...conjuncts(condition.right)];
}

/**
 * Whether evaluating the expression may fail for some value. Functions that are not listed are assumed
 * to fail.
 */
export function mayFail(bound: Bound): boolean {
  return isUnsure(bound) || [...partsOf(bound), ...partsOfSubselect(bound)].some(mayFail);
}

function isUnsure(bound: Bound): boolean {
  switch (bound.kind) {
    case 'unary':
      return bound.operator !== '!';
    case 'binary':
      if (bound.operator === 'join') return !isSurelyText(bound.left) || !isSurelyText(bound.right);
      return !sureOperators.has(bound.operator);
    case 'call':
      return !sureFunctions.has(bound.signature.name);
    case 'aggregate':
    case 'subselect':
      return bound.name === 'sum' || bound.name === 'avg';
    // A stored text may not be JSON that the database can read.
    case 'jsonPath':
    case 'element':
      return true;
    default:
      return false;
  }
}

/** Whether a value can be appended to a string, unlike a date that is out of the range of instants. */
function isSurelyText(bound: Bound): boolean {
  const type = typeOf(bound);
  return type === undefined || surelyText.has(type);
}

const surelyText: ReadonlySet<string> = new Set(['string', 'integer', 'decimal', 'boolean']);
