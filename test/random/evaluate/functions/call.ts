/** Calls of functions on values, by the names of the language and their aliases. */
import { and } from '../operators.js';
import { compareValues, type Known, type Value } from '../value.js';
import { convertFunctions } from './convert.js';
import { dateFunctions } from './date.js';
import { numericFunctions } from './numeric.js';
import { textFunctions } from './text.js';

/** Takes values that are not null; what is optional may be left out. */
export type KnownFunction = (...given: readonly Known[]) => Value;

const onKnown: ReadonlyMap<string, KnownFunction> = new Map(
  [numericFunctions, textFunctions, dateFunctions, convertFunctions].flatMap(
    Object.entries<KnownFunction>,
  ),
);

/** Those that are about null. */
const onNull: Readonly<Record<string, (...given: readonly Value[]) => Value>> = {
  isNull: (value) => value === null,
  isNotNull: (value) => value !== null,
  isEmpty: (value) => value === null || value === '',
  isNotEmpty: (value) => value !== null && value !== '',
  nvl: (...given) => given.find((value) => value !== null) ?? null,
  coalesce: (...given) => given.find((value) => value !== null) ?? null,
  nvl2: (value, present = null, absent = null) => (value === null ? absent : present),
  between: (value = null, low = null, high = null) =>
    and(
      compared(value, low, (order) => order >= 0),
      compared(value, high, (order) => order <= 0),
    ),
};

/** Null of null, but where the function is about null. */
export function callFunction(name: string, given: readonly Value[]): Value {
  const special = Object.hasOwn(onNull, name) ? onNull[name] : undefined;
  if (special) return special(...given);
  const known = given.filter((value) => value !== null);
  if (known.length < given.length) return null;
  const called = onKnown.get(name);
  if (!called) throw new Error(`the evaluator has no function ${name}`);
  return called(...known);
}

function compared(a: Value, b: Value, holds: (order: number) => boolean): Value {
  return a === null || b === null ? null : holds(compareValues(a, b));
}
