/** A value of an imported row against its property. */
import { type DataValue, nameDataValue } from '../result/data-value.js';
import { scalarText } from '../result/scalar-text.js';
import type { PropertyType } from '../schema/model.js';
import type { IntegerBits, RowField } from './row-field.js';

/** What is wrong with a value, as a sentence. */
export class ValueFault {
  readonly detail: string;

  constructor(detail: string) {
    this.detail = detail;
  }
}

/** The canonical text of a value that the property takes, null, or what is wrong with it. */
export function checkValue(field: RowField, value: DataValue): string | null | ValueFault {
  const { name, type } = field.property;
  if (value === null) return field.isRequired ? nullFault(name) : null;
  const text = scalarText(type, value);
  if (text === undefined) {
    return new ValueFault(`'${name}' takes ${words[type]}, and was given ${nameDataValue(value)}.`);
  }
  return limitFault(field, text) ?? text;
}

function nullFault(name: string): ValueFault {
  return new ValueFault(`'${name}' is required, and was given null.`);
}

const words = {
  integer: 'an integer',
  decimal: 'a decimal',
  number: 'a number',
  string: 'a string (of well-formed Unicode without U+0000)',
  boolean: 'a boolean',
  dateTime: 'an ISO 8601 date and time',
  date: 'an ISO 8601 date',
  time: 'a time (HH:MM:SS)',
  any: 'a scalar',
} satisfies Record<PropertyType, string>;

function limitFault(field: RowField, text: string): ValueFault | undefined {
  const { name, length } = field.property;
  if (length !== undefined && isLonger(text, length)) {
    const detail = `'${name}' takes at most ${length} characters, and was given ${[...text].length}.`;
    return new ValueFault(detail);
  }
  if (field.bits !== undefined && isBeyond(text, field.bits)) {
    return new ValueFault(`'${name}' takes an integer of ${field.bits} bits.`);
  }
  if (field.allowed !== undefined && !field.allowed.has(text)) {
    return new ValueFault(`'${name}' takes one of the values of its enum.`);
  }
  return undefined;
}

/** Databases count code points; a text has no more of them than UTF-16 units. */
function isLonger(text: string, length: number): boolean {
  return text.length > length && [...text].length > length;
}

/** Texts this short fit any column. */
const SHORT_DIGITS = 4;

function isBeyond(text: string, bits: IntegerBits): boolean {
  if (text.length <= SHORT_DIGITS) return false;
  return BigInt.asIntN(bits, BigInt(text)) !== BigInt(text);
}
