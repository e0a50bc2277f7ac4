/**
 * Functions of numbers on PostgreSQL. They give null where no finite value exists, instead of
 * PostgreSQL's error; a value that is too great is an error.
 */
import type { numericFunctions } from '../../../query/functions/numeric.js';
import {
  type CallSql,
  repeating,
  type Template,
  type Templates,
} from '../../functions/template.js';
import { cast, double, exact, finite, inBounds, whole } from './cast.js';
import { power, root } from './power.js';

export const numericTemplates: Templates<keyof typeof numericFunctions | 'root'> = {
  abs: (call) =>
    `abs(${call.type(0) === 'integer' ? cast(call.operand(0), 'int8') : call.value(0)})`,
  acos: within1('acos'),
  asin: within1('asin'),
  atan: ofDouble('atan'),
  atan2: (call) => `atan2(${double(call, 0)}, ${double(call, 1)})`,
  ceil: rounded('ceil'),
  cos: ofAngle('cos'),
  cosh: hyperbolic('cosh'),
  // Below −745, the nearest double is 0, for which PostgreSQL reports an underflow.
  exp: repeating(
    (call) => `CASE WHEN ${call.operand(0)} < -745 THEN 0 ELSE exp(${double(call, 0)}) END`,
  ),
  floor: rounded('floor'),
  ln: (call) => `ln(${positive(call, 0)})`,
  log: (call) =>
    call.count === 1
      ? `ln(${positive(call, 0)})`
      : `(ln(${positive(call, 1)}) / nullif(ln(${positive(call, 0)}), 0))`,
  log10: (call) => `log10(${positive(call, 0)})`,
  power,
  remainder: repeating(remainder),
  root,
  round: rounded('round'),
  sign: rounded('sign'),
  sin: ofAngle('sin'),
  sinh: hyperbolic('sinh'),
  sqrt: repeating((call) => `CASE WHEN ${call.operand(0)} >= 0 THEN sqrt(${double(call, 0)}) END`),
  tan: ofAngle('tan'),
  tanh: ofDouble('tanh'),
  trunc: rounded('trunc'),
};

function ofDouble(name: string): Template {
  return (call) => `${name}(${double(call, 0)})`;
}

/** Infinity, for which PostgreSQL fails, becomes null. Only a double may be infinite. */
function ofAngle(name: string): Template {
  return (call) => {
    if (call.computed(0) !== 'number') return `${name}(${double(call, 0)})`;
    return `${name}(${finite(double(call, 0))})`;
  };
}

/**
 * A hyperbolic function. Beyond the logarithm of the greatest double it would return infinity, so that
 * `exp` is called to fail instead.
 */
function hyperbolic(name: string): Template {
  return repeating((call) => {
    const x = double(call, 0);
    return `CASE WHEN abs(${x}) > 709.782712893384 THEN exp(abs(${double(call, 0)})) ELSE ${name}(${double(call, 0)}) END`;
  });
}

/** The maximum number of digits before or after the decimal point. */
const DIGITS_MAX = 2000;

/** Rounds or truncates. The result is an integer if the number is one, or if no digits are given. */
function rounded(name: string): Template {
  return (call) => {
    const number = exact(call, 0);
    if (call.count === 2) {
      const sql = `${name}(${number}, ${inBounds(call, 1, -DIGITS_MAX, DIGITS_MAX)})`;
      return call.type(0) === 'integer' ? `${sql}::int8` : sql;
    }
    return whole(`${name}(${number})`, call, 0);
  };
}

/** The function's value, or null instead of an error outside of −1 to 1. */
function within1(name: string): Template {
  return repeating(
    (call) => `CASE WHEN ${call.operand(0)} BETWEEN -1 AND 1 THEN ${name}(${double(call, 0)}) END`,
  );
}

/** An argument of a logarithm, or null instead of an error if it is not positive. */
function positive(call: CallSql, index: number): string {
  return `nullif(greatest(${double(call, index)}, 0), 0)`;
}

/** The IEEE 754 remainder. If x/y is half-way between two integers, the even one is chosen. */
function remainder(call: CallSql): string {
  const x = () => exact(call, 0);
  const y = () => `nullif(${exact(call, 1)}, 0)`;
  const sql = [
    `(${x()} - ${y()} * CASE WHEN mod(abs(${x()}), 2 * abs(${y()})) = abs(${y()}) / 2`,
    `THEN trunc(${x()} / ${y()}) ELSE round(${x()} / ${y()}) END)`,
  ].join(' ');
  const isInteger = call.type(0) === 'integer' && call.type(1) === 'integer';
  return isInteger ? `${sql}::int8` : sql;
}
