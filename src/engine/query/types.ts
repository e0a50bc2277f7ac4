/** The types of expressions: which of them are compatible, and how messages name them. */
import type { PropertyType } from '../schema/model.js';

type Family =
  | 'number'
  | 'temporal'
  | Exclude<PropertyType, 'integer' | 'decimal' | 'dateTime' | 'date'>;

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
} satisfies Record<PropertyType, Family>;

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
} satisfies Record<PropertyType, string>;

/** The type with its article: `an integer`, `a string`, … */
export function nameType(type: PropertyType): string {
  return names[type];
}

export function isNumeric(type: PropertyType): boolean {
  return families[type] === 'number';
}

/**
 * Whether the type is `dateTime` or `date`, which can be compared with each other and with ISO 8601
 * strings.
 */
export function isTemporal(type: PropertyType): boolean {
  return families[type] === 'temporal';
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
  return type === 'json' || type === 'xml';
}

/** Whether all databases order the values alike. */
export function isOrdered(type: PropertyType): boolean {
  return !isOpaque(type) && type !== 'uuid' && type !== 'binary';
}

/** Whether values of the two types may be compared. */
export function areComparable(left: PropertyType, right: PropertyType): boolean {
  return families[left] === families[right] || left === 'any' || right === 'any';
}

/** The type that values of either type can be converted to; undefined when there is none. */
export function commonType(left: PropertyType, right: PropertyType): PropertyType | undefined {
  if (left === right || right === 'any') return left;
  if (left === 'any') return right;
  if (families[left] !== families[right]) return undefined;
  if (families[left] === 'temporal') return 'dateTime';
  return left === 'number' || right === 'number' ? 'number' : 'decimal';
}

/** The narrower of two types that a parameter is used as; undefined when they conflict. */
export function narrowerType(left: PropertyType, right: PropertyType): PropertyType | undefined {
  if (left === right || right === 'any') return left;
  if (left === 'any') return right;
  if (families[left] !== families[right]) return undefined;
  if (families[left] === 'temporal') return 'date';
  return left === 'integer' || right === 'integer' ? 'integer' : 'decimal';
}
