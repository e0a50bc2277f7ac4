/** Determines how many decimal digits a computed number has, where databases differ. */
import { typeOf } from '../query/bind-operators.js';
import type { Bound } from '../query/logical.js';
import { choicesOf } from '../query/narrow-bound.js';
import { partsOf } from '../query/same-bound.js';
import type { PropertyType } from '../schema/model.js';
import type { RenderContext } from './render-expression.js';

/**
 * Whether a database may compute the value as a double, because it contains a power, a root or a
 * double.
 */
export function isApproximate(bound: Bound): boolean {
  if (typeOf(bound) === 'number' || (isPower(bound) && !isSquare(bound))) return true;
  if (bound.kind === 'subselect') return bound.argument ? isApproximate(bound.argument) : false;
  return numbersOf(bound).some(isApproximate);
}

/**
 * Whether every database computes the value as a double, although its type is decimal, because it contains a sum or
 * an average of doubles.
 */
function hasDoubleSum(bound: Bound): boolean {
  if (bound.kind !== 'aggregate' && bound.kind !== 'subselect')
    return numbersOf(bound).some(hasDoubleSum);
  const { name, argument } = bound;
  if (!argument) return false;
  return name === 'sum' || name === 'avg' ? typeOf(argument) === 'number' : hasDoubleSum(argument);
}

/** The type in which the database computes a number. */
export function computedType({ dialect }: RenderContext, bound: Bound): PropertyType {
  const type = typeOf(bound) ?? 'any';
  if (type !== 'decimal') return type;
  const isDouble = dialect.hasDoublePowers ? isApproximate(bound) : hasDoubleSum(bound);
  return isDouble ? 'number' : type;
}

/** Whether the value contains a product of decimals, which has the decimal places of both factors. */
export function isProduct(bound: Bound): boolean {
  if (isSquare(bound)) return true;
  const isOfDecimals =
    bound.kind === 'binary' &&
    bound.operator === '*' &&
    typeOf(bound.left) !== 'integer' &&
    typeOf(bound.right) !== 'integer';
  return isOfDecimals || numbersOf(bound).some(isProduct);
}

/** Whether the expression is a power or a root. */
export function isPower(bound: Bound): boolean {
  return bound.kind === 'call' && ['power', 'root'].includes(bound.signature.name);
}

/** Whether the expression is a square, which is exact. */
function isSquare(bound: Bound): boolean {
  if (bound.kind !== 'call' || bound.signature.name !== 'power') return false;
  const [, exponent] = bound.arguments;
  return exponent?.kind === 'literal' && Number(exponent.text) === 2;
}

/** The numbers from which the value is computed; none for a conversion, which has its own digits. */
function numbersOf(bound: Bound): readonly Bound[] {
  const choices = choicesOf(bound);
  if (choices.length > 0) return choices;
  return bound.kind === 'call' && bound.signature.group === 'convert' ? [] : partsOf(bound);
}
