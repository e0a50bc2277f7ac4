/** The types of expressions: which are compatible, and their names in messages. */
import { EngineError, type Span } from '../errors.js';
import { isArray } from '../schema/array-types.js';
import type { PropertyType, ScalarType } from '../schema/model.js';

interface TypeRules {
  /** Types of one family are compatible. */
  readonly family: string;
  /** With its article. */
  readonly name: string;
  /** What a string must be if it is read as a value of the type; only if JSON and SQL write values as strings. */
  readonly text?: string;
}

const types: Readonly<Record<ScalarType, TypeRules>> = {
  integer: { family: 'number', name: 'an integer' },
  decimal: { family: 'number', name: 'a decimal' },
  number: { family: 'number', name: 'a number' },
  string: { family: 'string', name: 'a string' },
  boolean: { family: 'boolean', name: 'a boolean' },
  dateTime: { family: 'temporal', name: 'a dateTime', text: 'an ISO 8601 date' },
  date: { family: 'temporal', name: 'a date', text: 'an ISO 8601 date' },
  time: { family: 'time', name: 'a time', text: 'a time (HH:MM:SS, up to 23:59:59)' },
  json: { family: 'json', name: 'JSON' },
  uuid: { family: 'uuid', name: 'a UUID', text: 'a UUID' },
  binary: { family: 'binary', name: 'binary data', text: 'base64 text' },
  interval: { family: 'interval', name: 'an interval', text: 'an interval' },
  inet: { family: 'inet', name: 'an address', text: 'an address' },
  xml: { family: 'xml', name: 'XML' },
  any: { family: 'any', name: 'a value of any type' },
};

/** Arrays of different types have nothing in common. */
function familyOf(type: PropertyType) {
  return isArray(type) ? type : types[type].family;
}

/** The type with its article: `an integer`, `a string`, … */
export function nameType(type: PropertyType): string {
  return isArray(type) ? 'an array' : types[type].name;
}

export function isNumeric(type: PropertyType): boolean {
  return familyOf(type) === 'number';
}

/**
 * Whether the type is `dateTime` or `date`, which can be compared with each other and with ISO 8601
 * strings.
 */
export function isTemporal(type: PropertyType): boolean {
  return familyOf(type) === 'temporal';
}

/** What a string literal must be beside a value of this type, as which it is read; undefined if it stays a string. */
export function nameOfText(type: PropertyType): string | undefined {
  return isArray(type) ? undefined : types[type].text;
}

/**
 * Whether databases do not agree on the equality of the values, which can be compared with null only.
 */
export function isOpaque(type: PropertyType | undefined): boolean {
  return type !== undefined && (type === 'json' || type === 'xml' || isArray(type));
}

/** Whether all databases sort the values in the same order. */
export function isOrdered(type: PropertyType): boolean {
  return !isOpaque(type) && type !== 'uuid' && type !== 'binary';
}

export function areComparable(left: PropertyType, right: PropertyType): boolean {
  return familyOf(left) === familyOf(right) || left === 'any' || right === 'any';
}

/** The type that values of either type can be converted to; undefined when there is none. */
export function commonType(left: PropertyType, right: PropertyType): PropertyType | undefined {
  const isNumber = left === 'number' || right === 'number';
  return typeOfBoth(left, right, isNumber ? 'number' : 'decimal');
}

/**
 * The narrower of two numeric types that a parameter is used as, and of a dateTime and a date the
 * dateTime, whose time would be lost otherwise; undefined when they conflict.
 */
export function narrowerType(left: PropertyType, right: PropertyType): PropertyType | undefined {
  const isInteger = left === 'integer' || right === 'integer';
  return typeOfBoth(left, right, isInteger ? 'integer' : 'decimal');
}

/** `ofNumbers`: the result for two different types of numbers. */
function typeOfBoth(left: PropertyType, right: PropertyType, ofNumbers: PropertyType) {
  if (left === right || right === 'any') return left;
  if (left === 'any') return right;
  if (familyOf(left) !== familyOf(right)) return undefined;
  return familyOf(left) === 'temporal' ? 'dateTime' : ofNumbers;
}

/** How to use a number where an integer is wanted; undefined for other types. */
export function integerHint(wanted: string, found: PropertyType): string | undefined {
  if (wanted !== 'integer' || !isNumeric(found)) return undefined;
  return 'toInteger(…) gives a number without its fraction.';
}

/** The error `type-mismatch`, whose message may begin with the name of a type. */
export function mismatch(message: string, span: Span | undefined, hint?: string): EngineError {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return new EngineError('type-mismatch', text, { span, hint });
}
