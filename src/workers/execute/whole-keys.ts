/** Keys of decimals and doubles, for a column of integers that they may be equal to. */
import type { Include, PropertyType } from '../../engine/index.js';

const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

/**
 * The keys to ask for. If these are decimals or doubles (`type`) and the others integers, they are written as
 * integers, because PostgreSQL reads no `7.00` as one, and those that are none are left out.
 */
export function keysToAsk(
  keys: readonly string[],
  type: PropertyType | undefined,
  { statement }: Include,
): readonly string[] {
  if (type !== 'decimal' && type !== 'number') return keys;
  const list = statement.arguments.find(({ kind }) => kind === 'parentKeys');
  return list?.kind === 'parentKeys' && list.type === 'integer' ? keys.flatMap(wholeText) : keys;
}

function wholeText(text: string): string | readonly [] {
  const whole = /^-?\d+(?=(?:\.0*)?$)/.exec(text)?.[0] ?? wholeDouble(text);
  if (whole === undefined) return [];
  const value = BigInt(whole);
  return value >= LEAST && value <= GREATEST ? whole : [];
}

/** Only doubles have exponents. */
function wholeDouble(text: string): string | undefined {
  const value = Number(text);
  return /e/i.test(text) && Number.isInteger(value) ? BigInt(value).toString() : undefined;
}
