/**
 * Functions of numbers. Roots, logarithms and trigonometric functions use doubles; the others are
 * exact.
 */
import { asFirst, may, roundedType, takes, widestNumber } from './parameters.js';
import type { FunctionDefinition, FunctionGroupTable } from './signature.js';

const pi = '3.141592653589793';

export const numericFunctions = {
  abs: {
    parameters: [takes('x', 'numeric')],
    returns: asFirst,
    result: 'the type of x',
    summary: 'The absolute value.',
    example: ['abs(-3.5)', '3.5'],
  },
  acos: analysis('The arc cosine; null outside −1 to 1.', ['acos(-1)', pi]),
  asin: analysis('The arc sine; null outside −1 to 1.', ['asin(0)', '0']),
  atan: analysis('The arc tangent.', ['atan(0)', '0']),
  atan2: {
    parameters: [takes('y', 'numeric'), takes('x', 'numeric')],
    returns: 'number',
    summary: 'The angle of the point (x, y), in radians.',
    example: ['atan2(0, -1)', pi],
  },
  ceil: toInteger('The smallest integer that is at least x.', ['ceil(-1.5)', '-1']),
  cos: analysis('The cosine.', ['cos(0)', '1']),
  cosh: analysis('The hyperbolic cosine.', ['cosh(0)', '1']),
  exp: analysis('e to the power of x.', ['exp(7)', '1096.6331584284585']),
  floor: toInteger('The largest integer that is at most x.', ['floor(-1.5)', '-2']),
  ln: analysis('The natural logarithm; null unless x is greater than 0.', ['ln(1)', '0']),
  log: {
    parameters: [takes('base', 'numeric'), may('x', 'numeric')],
    returns: 'number',
    summary:
      'The logarithm of x to a base. With one argument, the natural logarithm. Null unless both are greater than 0 and the base is not 1.',
    example: ['log(2, 8)', '3'],
  },
  log10: analysis('The logarithm to the base 10; null unless x is greater than 0.', [
    'log10(1000)',
    '3',
  ]),
  power: {
    parameters: [takes('x', 'numeric'), takes('exponent', 'numeric')],
    returns: 'decimal',
    summary: 'x to the power of the exponent, like `**`.',
    example: ['power(2, 10)', '1024'],
  },
  remainder: {
    parameters: [takes('x', 'numeric'), takes('y', 'numeric')],
    returns: widestNumber,
    result: 'the wider type of both',
    summary:
      'x − y·n, where n is x/y rounded to the nearest integer, ties to even (IEEE 754); null if y is 0.',
    example: ['remainder(7, 2)', '-1'],
  },
  round: toDigits('x rounded to that many decimal places, ties away from zero.', [
    'round(2.345, 2)',
    '2.35',
  ]),
  sign: toInteger('−1, 0 or 1.', ['sign(-0.5)', '-1']),
  sin: analysis('The sine.', ['sin(0)', '0']),
  sinh: analysis('The hyperbolic sine.', ['sinh(0)', '0']),
  sqrt: analysis('The square root; null for negative numbers.', ['sqrt(16)', '4']),
  tan: analysis('The tangent.', ['tan(0)', '0']),
  tanh: analysis('The hyperbolic tangent.', ['tanh(0)', '0']),
  trunc: toDigits('x truncated to that many decimal places.', ['trunc(-2.345, 2)', '-2.34']),
} satisfies FunctionGroupTable;

/** A function of one number that computes in double precision. */
function analysis(summary: string, example: FunctionDefinition['example']): FunctionDefinition {
  return { parameters: [takes('x', 'numeric')], returns: 'number', summary, example };
}

function toInteger(summary: string, example: FunctionDefinition['example']): FunctionDefinition {
  return { parameters: [takes('x', 'numeric')], returns: 'integer', summary, example };
}

function toDigits(summary: string, example: FunctionDefinition['example']): FunctionDefinition {
  const parameters = [takes('x', 'numeric'), may('digits', 'integer', '0')];
  const result = 'integer, or the type of x when digits are given';
  return { parameters, returns: roundedType, result, summary, example };
}
