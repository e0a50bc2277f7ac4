/**
 * Functions of numbers on MySQL and MariaDB. The database itself gives null where no finite value
 * exists, and fails where the value is too great.
 */
import type { numericFunctions } from '../../../query/functions/numeric.js';
import {
  applied,
  type CallSql,
  repeating,
  type Template,
  type Templates,
} from '../../functions/template.js';
import { asDecimal, exact, whole } from './cast.js';
import { power, root } from './power.js';

export const numericTemplates: Templates<keyof typeof numericFunctions | 'root'> = {
  abs: (call) =>
    call.type(0) === 'integer' ? `ABS(${whole(call.operand(0))})` : `ABS(${call.value(0)})`,
  acos: applied('ACOS'),
  asin: applied('ASIN'),
  atan: applied('ATAN'),
  atan2: (call) => `ATAN2(${call.value(0)}, ${call.value(1)})`,
  ceil: (call) => whole(`CEILING(${exact(call, 0)})`),
  cos: applied('COS'),
  cosh: repeating((call) => `((EXP(${call.value(0)}) + EXP(- ${call.operand(0)})) / 2)`),
  exp: applied('EXP'),
  floor: (call) => whole(`FLOOR(${exact(call, 0)})`),
  ln: applied('LN'),
  log: (call) =>
    call.count === 1 ? `LN(${call.value(0)})` : `(LN(${call.value(1)}) / LN(${call.value(0)}))`,
  log10: applied('LOG10'),
  power,
  remainder: repeating(remainder),
  root,
  round: rounded('ROUND'),
  sign: applied('SIGN'),
  sin: applied('SIN'),
  sinh: repeating((call) =>
    nearZero(call, () => `((EXP(${call.value(0)}) - EXP(- ${call.operand(0)})) / 2)`, '/ 6'),
  ),
  sqrt: applied('SQRT'),
  tan: applied('TAN'),
  // Beyond 20, the result rounds to 1, and EXP would overflow.
  tanh: repeating((call) =>
    nearZero(
      call,
      () => `(1 - 2 / (EXP(2 * GREATEST(LEAST(${call.value(0)}, 20), -20)) + 1))`,
      '/ -3',
    ),
  ),
  trunc: rounded('TRUNCATE'),
};

/** MySQL fails in a write where there is no logarithm, so it gets null. */
export const mysqlLogarithms: Templates<'ln' | 'log' | 'log10'> = {
  ln: (call) => `LN(${positive(call, 0)})`,
  log: (call) =>
    call.count === 1
      ? `LN(${positive(call, 0)})`
      : `(LN(${positive(call, 1)}) / LN(${positive(call, 0)}))`,
  log10: (call) => `LOG10(${positive(call, 0)})`,
};

function positive(call: CallSql, index: number): string {
  return `NULLIF(GREATEST(${call.value(index)}, 0), 0)`;
}

/** A function whose formula loses digits near zero, where it is x + x³ `third`. */
function nearZero(call: CallSql, formula: () => string, third: string): string {
  const x = () => call.operand(0);
  const isNear = `ABS(${x()}) < 0.001`;
  const series = `${x()} + POW(${x()}, 3) ${third}`;
  return `(CASE WHEN ${isNear} THEN ${series} ELSE ${formula()} END)`;
}

/** Rounds or truncates. The result is an integer if the number is one, or if no digits are given. */
function rounded(name: string): Template {
  const toDigits: Template = (call) => `${name}(${asDecimal(call, 0)}, ${call.value(1)})`;
  return (call) => {
    if (call.count === 1) return whole(`${name}(${asDecimal(call, 0)}, 0)`);
    if (call.type(0) === 'integer') return whole(toDigits(call));
    return call.computed(0) === 'number' ? call.naming(ofDouble(toDigits)) : toDigits(call);
  };
}

/** Leaves a double unchanged that is too great for a decimal, since it has no fraction. */
function ofDouble(body: Template): Template {
  return (call) => {
    const fits = `ABS(${call.value(0)}) < 1e30`;
    return `CASE WHEN ${fits} THEN ${body(call)} ELSE ${call.value(0)} END`;
  };
}

/**
 * The IEEE 754 remainder. If x/y is half-way between two integers, the even one is chosen. Products of
 * integers may need more than 64 bits.
 */
function remainder(call: CallSql): string {
  const wide = (index: number) =>
    call.type(index) === 'integer'
      ? `CAST(${call.value(index)} AS DECIMAL(20))`
      : exact(call, index);
  const x = () => wide(0);
  const y = () => wide(1);
  // A quotient has only four more decimal places than its dividend.
  const quotient = () => `CAST(${call.value(0)} AS DECIMAL(65,30)) / ${y()}`;
  return [
    `(${x()} - ${y()} * CASE WHEN MOD(ABS(${x()}), 2 * ABS(${y()})) = ABS(${y()}) / 2`,
    `THEN TRUNCATE(${quotient()}, 0) ELSE ROUND(${quotient()}, 0) END)`,
  ].join(' ');
}
