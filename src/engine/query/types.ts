/** The types of expressions: which may meet, and what they are called in a sentence. */
import type { PropertyType } from '../schema/model.js';

type Family = 'number' | 'string' | 'boolean' | 'temporal' | 'time' | 'json' | 'any';

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
  any: 'a value of any type',
} satisfies Record<PropertyType, string>;

/** `an integer`, `a string`, … */
export function nameType(type: PropertyType): string {
  return names[type];
}

export function isNumeric(type: PropertyType): boolean {
  return families[type] === 'number';
}

/** `dateTime` and `date`, which compare with each other and with ISO texts. */
export function isTemporal(type: PropertyType): boolean {
  return families[type] === 'temporal';
}

/** Whether values of the two types may be compared. */
export function areComparable(left: PropertyType, right: PropertyType): boolean {
  return families[left] === families[right] || left === 'any' || right === 'any';
}

/** The type that a value of either type can be read as; undefined when there is none. */
export function commonType(left: PropertyType, right: PropertyType): PropertyType | undefined {
  if (left === right || right === 'any') return left;
  if (left === 'any') return right;
  if (families[left] !== families[right]) return undefined;
  if (families[left] === 'temporal') return 'dateTime';
  return left === 'number' || right === 'number' ? 'number' : 'decimal';
}

/** The narrower of two types that a parameter is used as; undefined when they do not agree. */
export function narrowerType(left: PropertyType, right: PropertyType): PropertyType | undefined {
  if (left === right || right === 'any') return left;
  if (left === 'any') return right;
  if (families[left] !== families[right]) return undefined;
  if (families[left] === 'temporal') return 'date';
  return left === 'integer' || right === 'integer' ? 'integer' : 'decimal';
}
