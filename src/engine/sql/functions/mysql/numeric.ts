/** Functions of numbers in the SQL of MySQL and MariaDB. */
import type { numericFunctions } from '../../../query/functions/numeric.js';
import type { CallSql, Template, Templates } from '../template.js';
import { exact } from './cast.js';
import { power } from './power.js';

export const numericTemplates: Templates<keyof typeof numericFunctions> = {
  abs: named('ABS'),
  acos: named('ACOS'),
  asin: named('ASIN'),
  atan: named('ATAN'),
  atan2: (call) => `ATAN2(${call.value(0)}, ${call.value(1)})`,
  ceil: (call) => `CEILING(${exact(call, 0)})`,
  cos: named('COS'),
  cosh: (call) => `((EXP(${call.value(0)}) + EXP(- ${call.operand(0)})) / 2)`,
  exp: named('EXP'),
  floor: (call) => `FLOOR(${exact(call, 0)})`,
  ln: named('LN'),
  log: (call) => {
    const logarithm = `LN(${call.value(0)})`;
    return call.count === 1 ? logarithm : `(${logarithm} / NULLIF(LN(${call.value(1)}), 0))`;
  },
  log10: named('LOG10'),
  power: (call) => power(call.operand(0), call.value(1)),
  remainder,
  round: (call) => `ROUND(${exact(call, 0)}, ${digits(call)})`,
  sign: named('SIGN'),
  sin: named('SIN'),
  sinh: (call) => `((EXP(${call.value(0)}) - EXP(- ${call.operand(0)})) / 2)`,
  sqrt: named('SQRT'),
  tan: named('TAN'),
  // Beyond 20, the result is 1 to the last digit, and EXP would overflow.
  tanh: (call) => `(1 - 2 / (EXP(2 * GREATEST(LEAST(${call.value(0)}, 20), -20)) + 1))`,
  trunc: (call) => `TRUNCATE(${exact(call, 0)}, ${digits(call)})`,
};

function named(name: string): Template {
  return (call) => `${name}(${call.value(0)})`;
}

function digits(call: CallSql): string {
  return call.count === 1 ? '0' : call.value(1);
}

/** Half-way between two multiples of y, the quotient is cut when that leaves it even. */
function remainder(call: CallSql): string {
  const x = () => exact(call, 0);
  const y = () => exact(call, 1);
  // A quotient has only four digits more than its dividend.
  const quotient = () => `CAST(${call.value(0)} AS DECIMAL(65,30)) / ${y()}`;
  return [
    `(${x()} - ${y()} * CASE WHEN MOD(ABS(${x()}), 2 * ABS(${y()})) = ABS(${y()}) / 2`,
    `THEN TRUNCATE(${quotient()}, 0) ELSE ROUND(${quotient()}, 0) END)`,
  ].join(' ');
}
