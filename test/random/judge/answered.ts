/** Parses the JSON of an answer to values whose numbers keep their digits. */
import { LosslessNumber, parse } from 'lossless-json';

export type Answered =
  | null
  | boolean
  | string
  | LosslessNumber
  | readonly Answered[]
  | { readonly [name: string]: Answered };

/** Throws if the text is not JSON. */
export function parseAnswer(text: string): Answered {
  return parse(text, undefined, (digits) => new LosslessNumber(digits)) as Answered;
}

export function isObject(value: Answered): value is { readonly [name: string]: Answered } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value);
}

export function isNumber(value: Answered | undefined): value is LosslessNumber {
  return value instanceof LosslessNumber;
}

/** A text that is the same for equal values, whatever the order of members and superfluous zeros. */
export function canonicalText(value: Answered): string {
  if (isNumber(value)) return canonicalNumber(value.value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}:${canonicalText(each)}`,
  );
  return `{${members.sort().join(',')}}`;
}

/** A text that is the same for answers whose rows differ only in their order, at any level. */
export function unorderedText(value: Answered): string {
  if (isNumber(value)) return canonicalNumber(value.value);
  if (Array.isArray(value)) return `[${value.map(unorderedText).sort().join('\n')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}:${unorderedText(each)}`,
  );
  return `{${members.sort().join(',')}}`;
}

/** A number as digits and a power of ten: the same for `12.50`, `1.25e1` and `12.5`. */
export function canonicalNumber(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - short.length);
  return `${text.startsWith('-') ? '-' : ''}${short}e${power}`;
}
