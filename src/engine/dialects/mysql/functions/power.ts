/** Powers and roots on MySQL and MariaDB: doubles, except for squares. */
import { whereDefined } from '../../functions/power.js';
import { type CallSql, repeating, type Template } from '../../functions/template.js';

export const power: Template = (call) => {
  const known = call.number(1);
  if (known === 2) return call.naming(square);
  const isPlain = known !== undefined && Number.isInteger(known) && known >= 0;
  return isPlain ? powerOf(call) : call.naming(guardedPower);
};

export const root: Template = repeating((call) => {
  const known = call.number(1);
  if (known === 0) return 'CAST(NULL AS DOUBLE)';
  // A quotient of decimals would have only twenty digits.
  const exponent = () => `(1e0 / ${call.operand(1)})`;
  return whereDefined({
    base: () => call.operand(0),
    exponent,
    whole: () => `TRUNCATE(${exponent()}, 0)`,
    known: known && 1 / known,
    power: () => `POWER(${call.value(0)}, ${exponent()})`,
  });
});

/**
 * The square as a product, which is exact, whereas POWER returns a double. A product of integers is
 * computed as a decimal, so that it is not limited to 64 bits.
 */
function square(call: CallSql): string {
  const base = call.operand(0);
  const wide = call.type(0) === 'integer' ? `CAST(${base} AS DECIMAL(65,0))` : base;
  return `(${wide} * ${call.operand(0)})`;
}

function guardedPower(call: CallSql): string {
  return whereDefined({
    base: () => call.operand(0),
    exponent: () => call.operand(1),
    whole: () => `TRUNCATE(${call.value(1)}, 0)`,
    known: call.number(1),
    power: () => powerOf(call),
  });
}

function powerOf(call: CallSql): string {
  return `POWER(${call.value(0)}, ${call.value(1)})`;
}
