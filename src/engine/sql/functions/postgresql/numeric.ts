/** Functions of numbers in the SQL of PostgreSQL. */
import type { numericFunctions } from '../../../query/functions/numeric.js';
import type { CallSql, Template, Templates } from '../template.js';
import { count, double, exact } from './cast.js';

export const numericTemplates: Templates<keyof typeof numericFunctions> = {
  abs: (call) => `abs(${call.value(0)})`,
  acos: within1('acos'),
  asin: within1('asin'),
  atan: ofDouble('atan'),
  atan2: (call) => `atan2(${double(call, 0)}, ${double(call, 1)})`,
  ceil: (call) => `ceil(${exact(call, 0)})`,
  cos: ofDouble('cos'),
  cosh: ofDouble('cosh'),
  exp: ofDouble('exp'),
  floor: (call) => `floor(${exact(call, 0)})`,
  ln: (call) => `ln(${positive(call, 0)})`,
  log: (call) => {
    const logarithm = `ln(${positive(call, 0)})`;
    if (call.count === 1) return logarithm;
    return `(${logarithm} / nullif(ln(${positive(call, 1)}), 0))`;
  },
  log10: (call) => `log10(${positive(call, 0)})`,
  power: (call) => `power(${exact(call, 0)}, ${exact(call, 1)})`,
  remainder,
  round: rounded('round'),
  sign: (call) => `sign(${exact(call, 0)})`,
  sin: ofDouble('sin'),
  sinh: ofDouble('sinh'),
  sqrt: (call) => `CASE WHEN ${call.operand(0)} >= 0 THEN sqrt(${double(call, 0)}) END`,
  tan: ofDouble('tan'),
  tanh: ofDouble('tanh'),
  trunc: rounded('trunc'),
};

function ofDouble(name: string): Template {
  return (call) => `${name}(${double(call, 0)})`;
}

function rounded(name: string): Template {
  return (call) => {
    const number = exact(call, 0);
    return call.count === 1 ? `${name}(${number})` : `${name}(${number}, ${count(call, 1)})`;
  };
}

/** Null instead of an error outside of −1 … 1. */
function within1(name: string): Template {
  return (call) =>
    `CASE WHEN ${call.operand(0)} BETWEEN -1 AND 1 THEN ${name}(${double(call, 0)}) END`;
}

/** Null instead of an error for what has no logarithm. */
function positive(call: CallSql, index: number): string {
  return `nullif(greatest(${double(call, index)}, 0), 0)`;
}

/** Half-way between two multiples of y, the quotient is cut when that leaves it even. */
function remainder(call: CallSql): string {
  const x = () => exact(call, 0);
  const y = () => `nullif(${exact(call, 1)}, 0)`;
  return [
    `(${x()} - ${y()} * CASE WHEN mod(abs(${x()}), 2 * abs(${y()})) = abs(${y()}) / 2`,
    `THEN trunc(${x()} / ${y()}) ELSE round(${x()} / ${y()}) END)`,
  ].join(' ');
}
