/** Evaluates function calls on values, by the names of the language and their aliases. */
import { and } from '../operators.js';
import { compareValues, type Known, type Value } from '../value.js';
import { convertFunctions } from './convert.js';
import { dateFunctions } from './date.js';
import { numericFunctions } from './numeric.js';
import { textFunctions } from './text.js';

/** A function of values that are not null; optional arguments may be missing. */
export type KnownFunction = (...given: readonly Known[]) => Value;

const onKnown: ReadonlyMap<string, KnownFunction> = new Map(
  [numericFunctions, textFunctions, dateFunctions, convertFunctions].flatMap(
    Object.entries<KnownFunction>,
  ),
);

/** The functions that handle null. */
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

/** The value is null if an argument is null, unless the function handles null. */
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
