/** Describes a value that does not fit a type, without the value itself: the log contains the messages. */
import { isArray, itemOf } from '../schema/array-types.js';
import type { ArrayType, PropertyType, ScalarType } from '../schema/model.js';
import { DATA_DEPTH_MAX } from './data-json.js';
import { type DataValue, ExactNumber, nameDataValue } from './data-value.js';
import { missingDay } from './date-text.js';
import { type OtherTexts, scalarText } from './scalar-text.js';

/**
 * The end of a message that begins with the expected type (`'at' takes a date, but …`): `was given a
 * list`, `was given a string that is not one`, `2024-02-30 does not exist`.
 */
export function describeMisfit(type: PropertyType, value: DataValue | undefined): string {
  if (typeof value === 'string') return describeText(type, value);
  if (isArray(type) && Array.isArray(value)) return describeItem(type, value);
  const isNumber = typeof value === 'number' || value instanceof ExactNumber;
  const isOther = isNumber && type === 'integer' ? ' that is not one' : '';
  return `was given ${nameDataValue(value)}${isOther}`;
}

function describeText(type: PropertyType, text: string): string {
  if (text.includes('\0')) return 'was given a string with U+0000';
  if (!text.isWellFormed()) return 'was given a string with half a surrogate pair';
  // Only true and false are booleans, whatever a string says.
  if (type === 'boolean' || isArray(type)) return 'was given a string';
  const day = type === 'date' || type === 'dateTime' ? missingDay(text) : undefined;
  return day === undefined ? 'was given a string that is not one' : `${day} does not exist`;
}

/** The first item that does not fit. */
function describeItem(type: ArrayType, items: readonly DataValue[]): string {
  const item = itemOf(type);
  const index = items.findIndex((each) => each !== null && scalarText(item, each) === undefined);
  return `in item [${index}] ${describeMisfit(item, items[index])}`;
}

/** How messages name the values of a type: `an integer`, `an ISO 8601 date`, … */
export function nameScalarType(type: PropertyType, others?: OtherTexts): string {
  const nameOf = (each: ScalarType) => others?.[each]?.name ?? scalarNames[each];
  return isArray(type) ? `a list, each item ${nameOf(itemOf(type))}` : nameOf(type);
}

const scalarNames = {
  integer: 'an integer',
  decimal: 'a decimal',
  number: 'a number',
  string: 'a string (of well-formed Unicode without U+0000)',
  boolean: 'a boolean (true or false)',
  dateTime: 'an ISO 8601 date and time (YYYY-MM-DDTHH:MM:SSZ)',
  date: 'an ISO 8601 date (YYYY-MM-DD)',
  time: 'a time (HH:MM:SS, up to 23:59:59)',
  uuid: 'a UUID',
  binary: 'base64 text',
  interval: 'an interval (such as P1DT2H)',
  inet: 'an IP address',
  xml: 'XML text',
  json: `JSON (of well-formed Unicode without U+0000), nested up to ${DATA_DEPTH_MAX} deep`,
  any: 'a scalar',
} satisfies Record<ScalarType, string>;
