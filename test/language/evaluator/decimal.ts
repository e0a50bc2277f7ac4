/** Exact decimals: an integer of units, and how many of its digits stand behind the point. */

export interface Decimal {
  readonly kind: 'decimal';
  readonly units: bigint;
  readonly scale: number;
  /** Whether the true value is another one near it: a quotient that has no end. */
  readonly rounded: boolean;
}

const QUOTIENT_SCALE = 40;

export function decimal(units: bigint, scale = 0, rounded = false): Decimal {
  return { kind: 'decimal', units, scale, rounded };
}

const powers: bigint[] = [];

function tenTo(exponent: number): bigint {
  return (powers[exponent] ??= 10n ** BigInt(exponent));
}

/** The value of digits with a point, a sign, an exponent. */
export function parseDecimal(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const units = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? decimal(units, scale) : decimal(units * tenTo(-scale));
}

/** The digits without idle zeros. */
export function decimalText(value: Decimal): string {
  const digits = (value.units < 0n ? -value.units : value.units).toString();
  const padded = digits.padStart(value.scale + 1, '0');
  const whole = padded.slice(0, padded.length - value.scale);
  const fraction = padded.slice(padded.length - value.scale).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return value.units < 0n && text !== '0' ? `-${text}` : text;
}

export function add(a: Decimal, b: Decimal): Decimal {
  return aligned(a, b, (x, y, scale, rounded) => decimal(x + y, scale, rounded));
}

export function negate(a: Decimal): Decimal {
  return { ...a, units: -a.units };
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return decimal(a.units * b.units, a.scale + b.scale, a.rounded || b.rounded);
}

/** Rounded when it does not come out even. */
export function divide(a: Decimal, b: Decimal): Decimal {
  const numerator = a.units * tenTo(QUOTIENT_SCALE + b.scale);
  const scale = a.scale + QUOTIENT_SCALE;
  const rest = numerator % b.units !== 0n;
  return decimal(numerator / b.units, scale, rest || a.rounded || b.rounded);
}

/** What is left of a division towards zero: the sign is that of `a`. */
export function modulo(a: Decimal, b: Decimal): Decimal {
  return aligned(a, b, (x, y, scale, rounded) => decimal(x % y, scale, rounded));
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  return aligned(a, b, (x, y) => (x < y ? -1 : x > y ? 1 : 0));
}

export type Rounding = 'floor' | 'ceil' | 'trunc' | 'round';

/** To `digits` behind the point; `round` takes halves away from zero. */
export function toDigits(a: Decimal, rounding: Rounding, digits = 0): Decimal {
  if (a.scale <= digits) return a;
  const unit = tenTo(a.scale - digits);
  const cut = a.units / unit;
  const rest = a.units % unit;
  const sign = a.units < 0n ? -1n : 1n;
  const up = { floor: rest < 0n, ceil: rest > 0n, trunc: false, round: rest * sign * 2n >= unit };
  return decimal(up[rounding] ? cut + sign : cut, digits, a.rounded);
}

/** The number, when it is whole. */
export function wholeNumber(a: Decimal): number {
  return Number(toDigits(a, 'trunc').units);
}

function aligned<Result>(
  a: Decimal,
  b: Decimal,
  use: (x: bigint, y: bigint, scale: number, rounded: boolean) => Result,
): Result {
  const rounded = a.rounded || b.rounded;
  if (a.scale === b.scale) return use(a.units, b.units, a.scale, rounded);
  const scale = Math.max(a.scale, b.scale);
  const x = a.units * tenTo(scale - a.scale);
  const y = b.units * tenTo(scale - b.scale);
  return use(x, y, scale, rounded);
}
