/** Exact decimals: an integer, and the number of its digits after the point. */
import { unsure } from './unsure.js';

export interface Decimal {
  readonly kind: 'decimal';
  readonly units: bigint;
  readonly scale: number;
  /** Whether its type is integer: no digits after the point, and 64 bits. */
  readonly isInteger: boolean;
  /** Whether the true value may differ slightly. */
  readonly near: boolean;
}

/** The digits of a quotient after the point (docs/language.md, "Types"). */
const QUOTIENT_SCALE = 20;
/**
 * The digits after the point that every database stores; some round longer values (docs/databases.md).
 */
export const SCALE_MAX = 30;
const WHOLE_DIGITS_MAX = 35;
/** MariaDB keeps 38 of 65 digits for the places of a product. */
const PRODUCT_DIGITS_MAX = 27;

export function decimal(units: bigint, scale = 0, near = false): Decimal {
  const whole = digitsOf(units) - scale;
  const isLarge = scale > SCALE_MAX || whole > WHOLE_DIGITS_MAX;
  if (isLarge) tooLarge.count += 1;
  return { kind: 'decimal', units, scale, isInteger: false, near: near || isLarge };
}

/** Throws if 64 bits are too few; whether a database computes such a value is not defined. */
export function integer(units: bigint): Decimal {
  if (BigInt.asIntN(64, units) !== units) unsure('an integer of more than 64 bits');
  return { kind: 'decimal', units, scale: 0, isInteger: true, near: false };
}

/** Counts the decimals that are too large for some database. */
export const tooLarge = { count: 0 };

const powers: bigint[] = [];

function tenTo(exponent: number): bigint {
  return (powers[exponent] ??= 10n ** BigInt(exponent));
}

function digitsOf(units: bigint): number {
  return units.toString().length - (units < 0n ? 1 : 0);
}

/** The value of a literal with a point, a sign or an exponent. */
export function parseDecimal(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const units = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  if (/^-?\d+$/.test(text) && BigInt.asIntN(64, units) === units) return integer(units);
  return scale >= 0 ? decimal(units, scale) : decimal(units * tenTo(-scale));
}

/** The digits without superfluous zeros. */
export function decimalText(value: Decimal): string {
  const digits = (value.units < 0n ? -value.units : value.units).toString();
  const padded = digits.padStart(value.scale + 1, '0');
  const whole = padded.slice(0, padded.length - value.scale);
  const fraction = padded.slice(padded.length - value.scale).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return value.units < 0n && text !== '0' ? `-${text}` : text;
}

export function add(a: Decimal, b: Decimal): Decimal {
  return aligned(a, b, (x, y, scale) => like([a, b], x + y, scale));
}

export function negate(a: Decimal): Decimal {
  return like([a], -a.units, a.scale);
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  const scale = a.scale + b.scale;
  const units = a.units * b.units;
  if (digitsOf(units) - scale > PRODUCT_DIGITS_MAX) tooLarge.count += 1;
  return like([a, b], units, scale);
}

/** Divides to twenty digits and rounds halves away from zero. The divisor is not 0. */
export function divide(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(0, QUOTIENT_SCALE + b.scale - a.scale);
  const numerator = a.units * tenTo(scale);
  const quotient = roundedQuotient(numerator, b.units);
  const value = decimal(quotient, a.scale + scale - b.scale, a.near || b.near);
  return toDigits(value, 'round', QUOTIENT_SCALE);
}

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const [top, bottom] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const half = top < 0n ? -bottom : bottom;
  return (2n * top + half) / (2n * bottom);
}

/** The remainder of a division that rounds towards zero: it has the sign of `a`. */
export function modulo(a: Decimal, b: Decimal): Decimal {
  return aligned(a, b, (x, y, scale) => like([a, b], x % y, scale));
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  return aligned(a, b, (x, y) => (x < y ? -1 : x > y ? 1 : 0));
}

export type Rounding = 'floor' | 'ceil' | 'trunc' | 'round';

/** Rounds to `digits` after the point, or before it if negative; halves away from zero. */
export function toDigits(a: Decimal, rounding: Rounding, digits = 0): Decimal {
  if (a.scale <= digits) return a;
  const unit = tenTo(a.scale - digits);
  const cut = a.units / unit;
  const rest = a.units % unit;
  const sign = a.units < 0n ? -1n : 1n;
  const up = { floor: rest < 0n, ceil: rest > 0n, trunc: false, round: rest * sign * 2n >= unit };
  const units = up[rounding] ? cut + sign : cut;
  return digits < 0 ? like([a], units * tenTo(-digits), 0) : like([a], units, digits);
}

/** A number that is known to be an integer. */
export function wholeNumber(a: Decimal): number {
  return Number(toDigits(a, 'trunc').units);
}

/** An integer if all operands are integers, otherwise a decimal. */
function like(operands: readonly Decimal[], units: bigint, scale: number): Decimal {
  if (operands.every(({ isInteger }) => isInteger)) return integer(units);
  return decimal(
    units,
    scale,
    operands.some(({ near }) => near),
  );
}

function aligned<Result>(
  a: Decimal,
  b: Decimal,
  use: (x: bigint, y: bigint, scale: number) => Result,
): Result {
  if (a.scale === b.scale) return use(a.units, b.units, a.scale);
  const scale = Math.max(a.scale, b.scale);
  return use(a.units * tenTo(scale - a.scale), b.units * tenTo(scale - b.scale), scale);
}
