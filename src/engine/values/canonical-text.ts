/** Makes the text in which one database sends a value one that every database can be given. */
import type { PropertyType } from '../schema/model.js';
import { scalarEncoder } from './scalar-json.js';
import { scalarText } from './scalar-text.js';

/** Databases write values of the other types alike. */
const DIFFERENT: ReadonlySet<PropertyType> = new Set([
  'boolean',
  'dateTime',
  'date',
  'time',
  'interval',
  'inet',
]);

const ENDLESS = /^[+-]?(?:nan|inf)/i;

/** The canonical text of a stored value; undefined for one that not every database can have, such as infinity. */
export function canonicalText(type: PropertyType, stored: string): string | undefined {
  if (!DIFFERENT.has(type)) {
    const isNumber = type === 'decimal' || type === 'number';
    return isNumber && ENDLESS.test(stored) ? undefined : stored;
  }
  const value: unknown = JSON.parse(scalarEncoder(type)(stored));
  return typeof value === 'string' || typeof value === 'boolean'
    ? scalarText(type, value)
    : undefined;
}
