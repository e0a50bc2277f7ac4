/** Powers and roots on PostgreSQL. Powers of exact numbers are not rounded to the digits of a double. */
import { whereDefined } from '../../functions/power.js';
import { type CallSql, repeating, type Template } from '../../functions/template.js';
import { exact } from './cast.js';

/** Up to this exponent, even a great power is computed quickly. */
const PLAIN_EXPONENT_MAX = 64;

export const power: Template = (call) => {
  const known = call.number(1);
  if (known === 2 && call.type(0) !== 'number') return call.naming(square);
  const isPlain =
    known !== undefined && Number.isInteger(known) && known >= 0 && known <= PLAIN_EXPONENT_MAX;
  return isPlain
    ? bounded(`power(${exact(call, 0)}, ${exact(call, 1)})`)
    : call.naming(guardedPower);
};

/** The square as a product, which is exact, whereas `power` rounds a fraction after 16 digits. */
function square(call: CallSql): string {
  return bounded(`(${exact(call, 0)} * ${exact(call, 0)})`);
}

/** A root, as a power whose exponent has forty digits: the third root of 27 is exactly 3. */
export const root: Template = repeating((call) => {
  const known = call.number(1);
  if (known === 0) return 'NULL::numeric';
  const base = exact(call, 0);
  const one = `1.${'0'.repeat(40)}`;
  const degree = known === undefined ? `nullif(${exact(call, 1)}, 0)` : exact(call, 1);
  const exponent = `(${one} / ${degree})`;
  return whereDefined({
    base: () => base,
    exponent: () => exponent,
    whole: () => `trunc(${exponent})`,
    known: known && 1 / known,
    power: () => asDouble(`power(${base}, ${exponent})`),
  });
});

function guardedPower(call: CallSql): string {
  const [base, exponent] = [exact(call, 0), exact(call, 1)];
  const known = call.number(1);
  const power = `power(${base}, ${exponent})`;
  const isRoot = known !== undefined && !Number.isInteger(known);
  return whereDefined({
    base: () => base,
    exponent: () => exponent,
    whole: () => `trunc(${exponent})`,
    known,
    power: () => (isRoot ? asDouble(power) : unlessTooGreat(base, exponent, bounded(power))),
  });
}

/** The power, or an error from `exp` before a number of a hundred thousand digits is computed. */
function unlessTooGreat(base: string, exponent: string, power: string): string {
  const logarithm = `${exponent}::float8 * ln(nullif(abs(${base}), 0)::float8)`;
  return `CASE WHEN ${logarithm} > 710 THEN exp(${logarithm})::numeric ELSE ${power} END`;
}

/** Rounds to the digits of a double; a numeric could have any number of digits. */
function asDouble(sql: string): string {
  return `${sql}::float8::text::numeric`;
}

/** Fails beyond the range of a double. */
function bounded(sql: string): string {
  return `trim_scale(${sql}::numeric(1000, 691))`;
}
