/** The functions that random queries call, on values that are not null. */
import { decimal, type Decimal, multiply, negate, toDigits, wholeNumber } from './decimal.js';
import { compareValues, instantOf, isDecimal, isInstant, textOf, type Value } from './value.js';

type Known = Exclude<Value, null>;

/** Gives null for null; all others see values only. */
export function callFunction(name: string, given: readonly Value[]): Value {
  const special = aboutNull(name, given);
  if (special !== undefined) return special;
  const known = given.filter((value) => value !== null);
  if (known.length < given.length) return null;
  return onKnown(name, known);
}

function aboutNull(name: string, given: readonly Value[]): Value | undefined {
  const [first = null] = given;
  switch (name) {
    case 'isNull':
      return first === null;
    case 'isNotNull':
      return first !== null;
    case 'isEmpty':
      return first === null || first === '';
    case 'isNotEmpty':
      return first !== null && first !== '';
    case 'nvl':
      return given.find((value) => value !== null) ?? null;
    case 'nvl2':
      return (first === null ? given[2] : given[1]) ?? null;
    default:
      return undefined;
  }
}

function onKnown(name: string, [first = '', second = '', third = '']: readonly Known[]): Value {
  switch (name) {
    case 'abs':
      return number(first).units < 0n ? negate(number(first)) : first;
    case 'sign':
      return decimal(BigInt(Math.sign(compareValues(number(first), decimal(0n)))));
    case 'round':
    case 'trunc':
      return toDigits(number(first), name, second === '' ? 0 : wholeNumber(number(second)));
    case 'floor':
    case 'ceil':
      return toDigits(number(first), name);
    case 'power':
      return Array.from({ length: wholeNumber(number(second)) }).reduce<Decimal>(
        (product) => multiply(product, number(first)),
        decimal(1n),
      );
    case 'length':
      return count(letters(first).length);
    case 'lower':
      return text(first).toLowerCase();
    case 'reverse':
      return letters(first).reverse().join('');
    case 'indexOf':
      return count(placeOf(text(first), text(second)));
    case 'contains':
    case 'includes':
      return text(first).includes(text(second));
    case 'startsWith':
      return text(first).startsWith(text(second));
    case 'endsWith':
      return text(first).endsWith(text(second));
    case 'replace':
      return text(second) === '' ? first : text(first).replaceAll(text(second), () => text(third));
    case 'substring': {
      const start = wholeNumber(number(second)) - 1;
      return letters(first)
        .slice(start, start + wholeNumber(number(third)))
        .join('');
    }
    case 'concat':
    case 'toString':
      return textOf(first) + (second === '' ? '' : textOf(second));
    case 'year':
      return count(moment(first).getUTCFullYear());
    case 'month':
      return count(moment(first).getUTCMonth() + 1);
    case 'day':
      return count(moment(first).getUTCDate());
    case 'hour':
      return count(moment(first).getUTCHours());
    case 'addDay':
      return {
        kind: 'instant',
        ms: moment(first).getTime() + wholeNumber(number(second)) * 86_400_000,
      };
    default:
      throw new Error(`the evaluator has no function ${name}`);
  }
}

/** Letters before the place; −1 when there is none. */
function placeOf(whole: string, part: string): number {
  const place = whole.indexOf(part);
  return place === -1 ? -1 : letters(whole.slice(0, place)).length;
}

function letters(value: Known): string[] {
  return [...text(value)];
}

function text(value: Known): string {
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is no text`);
  return value;
}

function number(value: Known): Decimal {
  if (!isDecimal(value)) throw new Error('no number');
  return value;
}

function moment(value: Known): Date {
  return new Date((isInstant(value) ? value : instantOf(text(value))).ms);
}

function count(value: number): Decimal {
  return decimal(BigInt(value));
}
