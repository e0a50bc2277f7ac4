/** Values of the evaluator, how they compare, and how they look in an answer. */
import { compareDecimals, type Decimal, decimalText, parseDecimal } from './decimal.js';

/** Milliseconds since 1970; of a date, its start in UTC. */
export interface Instant {
  readonly kind: 'instant';
  readonly ms: number;
}

export type Value = null | boolean | string | Decimal | Instant;

export function instantOf(text: string): Instant {
  const hasTime = text.includes('T');
  return { kind: 'instant', ms: Date.parse(hasTime ? text : `${text}T00:00:00Z`) };
}

export function isDecimal(value: Value): value is Decimal {
  return typeof value === 'object' && value !== null && value.kind === 'decimal';
}

export function isInstant(value: Value): value is Instant {
  return typeof value === 'object' && value !== null && value.kind === 'instant';
}

/** A value of the data: numbers become decimals, texts stay what they are. */
export function dataValue(value: unknown): Value {
  if (typeof value === 'number') return parseDecimal(String(value));
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

/** Negative, zero or positive; text by code points, an ISO text beside an instant as that one. */
export function compareValues(a: Value, b: Value): number {
  if (isDecimal(a) && isDecimal(b)) return compareDecimals(a, b);
  if (isInstant(a) || isInstant(b)) return msOf(a) - msOf(b);
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return Number(a) - Number(b);
}

function msOf(value: Value): number {
  if (isInstant(value)) return value.ms;
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is no instant`);
  return instantOf(value).ms;
}

/** UTF-16 units would put what lies above U+FFFF before U+E000. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < left.length && at < right.length; at += 1) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** As JavaScript would write it in a text. */
export function textOf(value: Exclude<Value, null>): string {
  if (isDecimal(value)) return decimalText(value);
  return isInstant(value) ? new Date(value.ms).toISOString() : String(value);
}

/** What tells groups and distinct rows apart. */
export function identityOf(value: Value): string {
  return value === null ? 'null' : `${typeof value} ${textOf(value)}`;
}
