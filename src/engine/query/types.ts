/** The types of expressions: which are compatible, and their names in messages. */
import { isArray } from '../schema/array-types.js';
import type { ArrayType, PropertyType, ScalarType } from '../schema/model.js';

const families = {
  integer: 'number',
  decimal: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  dateTime: 'temporal',
  date: 'temporal',
  time: 'time',
  json: 'json',
  uuid: 'uuid',
  binary: 'binary',
  interval: 'interval',
  inet: 'inet',
  xml: 'xml',
  any: 'any',
} as const satisfies Record<ScalarType, string>;

const names = {
  integer: 'an integer',
  decimal: 'a decimal',
  number: 'a number',
  string: 'a string',
  boolean: 'a boolean',
  dateTime: 'a dateTime',
  date: 'a date',
  time: 'a time',
  json: 'JSON',
  uuid: 'a UUID',
  binary: 'binary data',
  interval: 'an interval',
  inet: 'an address',
  xml: 'XML',
  any: 'a value of any type',
} satisfies Record<ScalarType, string>;

type Family = (typeof families)[ScalarType] | ArrayType;

/** Arrays of different types have nothing in common. */
function familyOf(type: PropertyType): Family {
  return isArray(type) ? type : families[type];
}

/** The type with its article: `an integer`, `a string`, … */
export function nameType(type: PropertyType): string {
  return isArray(type) ? 'an array' : names[type];
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

/** Types whose values are written as strings in JSON and SQL, each in its own format. */
const writtenAsTexts: ReadonlySet<PropertyType> = new Set([
  ...(['dateTime', 'date', 'time', 'uuid', 'binary', 'interval', 'inet'] as const),
]);

/** Whether a string literal beside a value of this type is read as the type. */
export function isWrittenAsText(type: PropertyType): boolean {
  return writtenAsTexts.has(type);
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

/** Whether values of the two types may be compared. */
export function areComparable(left: PropertyType, right: PropertyType): boolean {
  return familyOf(left) === familyOf(right) || left === 'any' || right === 'any';
}

/** The type that values of either type can be converted to; undefined when there is none. */
export function commonType(left: PropertyType, right: PropertyType): PropertyType | undefined {
  if (left === right || right === 'any') return left;
  if (left === 'any') return right;
  if (familyOf(left) !== familyOf(right)) return undefined;
  if (familyOf(left) === 'temporal') return 'dateTime';
  return left === 'number' || right === 'number' ? 'number' : 'decimal';
}

/**
 * The narrower of two numeric types that a parameter is used as, and of a dateTime and a date the
 * dateTime, whose time would be lost otherwise; undefined when they conflict.
 */
export function narrowerType(left: PropertyType, right: PropertyType): PropertyType | undefined {
  if (left === right || right === 'any') return left;
  if (left === 'any') return right;
  if (familyOf(left) !== familyOf(right)) return undefined;
  if (familyOf(left) === 'temporal') return 'dateTime';
  return left === 'integer' || right === 'integer' ? 'integer' : 'decimal';
}
