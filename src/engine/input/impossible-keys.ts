/** Keys that no row has, because the database has no integers of more than 64 bits. */
import type { CompiledQuery } from '../compiled-query.js';
import { dialectOf } from '../dialects/dialects.js';
import type { DialectName } from '../schema/model.js';
import type { ParameterValues } from './arguments.js';

/** The longest text of an integer that certainly fits into 64 bits. */
const SAFE_LENGTH = 18;

/** Whether the text of an integer needs more than 64 bits. */
export function isBeyondInteger(text: string): boolean {
  if (text.length <= SAFE_LENGTH) return false;
  const whole = BigInt(text);
  return BigInt.asIntN(64, whole) !== whole;
}

/** Whether the database refuses an integer although it is only compared with keys. */
export function isImpossibleKey(dialect: DialectName, text: string | null | undefined): boolean {
  return text != null && isBeyondInteger(text) && dialectOf(dialect).writes.boundedKeys === true;
}

/** Replaces impossible keys by null, which finds no row either. */
export function withoutImpossibleKeys(
  { root, parameters }: CompiledQuery,
  values: ParameterValues,
): ParameterValues {
  if (root.write?.kind !== 'filtered' || !root.write.keyedBy) return values;
  const { path, keys } = root.write.keyedBy;
  const names = keys.map((key) => [...path, key].join('.'));
  const impossible = parameters.flatMap(({ name, type }) => {
    const text = type === 'integer' && names.includes(name) ? values.texts.get(name) : null;
    return typeof text === 'string' && isImpossibleKey(root.dialect, text) ? [name] : [];
  });
  if (impossible.length === 0) return values;
  const get = (name: string) => (impossible.includes(name) ? null : values.texts.get(name));
  return { ...values, texts: { get } };
}
