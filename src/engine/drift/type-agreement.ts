/** Whether a property can be stored in a column of a type. */
import type { ExistingColumn } from '../ddl/existing.js';
import { dialectOf } from '../dialects/dialects.js';
import { mappedType } from '../introspect/column-types.js';
import { isArray } from '../schema/array-types.js';
import type { DialectName, Digits, Property, PropertyType } from '../schema/model.js';

/** Why the property does not fit the column; undefined if it does. `isRead`: it is never written. */
export function disagreement(
  property: Property,
  column: ExistingColumn,
  dialect: DialectName,
  isRead: boolean,
): string | undefined {
  const { type, length } = property;
  const mapped = mappedType(column, dialect);
  const isText = type === 'any' || type === 'string';
  if (mapped === undefined ? isText : fits(type, mapped.type, column, { dialect, isRead })) {
    if (property.isLong && mapped?.type === 'integer' && !mapped.isLong) {
      return `Its integers have 64 bits, but the type of the column is ${column.declared}.`;
    }
    if (property.digits && property.view !== true && mapped && mapped.type !== 'json') {
      const { digits } = property;
      if (digitsText(digits) !== digitsText(mapped.digits)) {
        return `Its type is ${type}${digitsText(digits)}, but that of the column is ${column.declared}.`;
      }
    }
    // The values of an enum are compared one by one.
    if (property.enum !== undefined && column.enum) return undefined;
    const isLonger = mapped?.length !== undefined && (length ?? Infinity) > mapped.length;
    if (type !== 'string' || property.view === true || !isLonger) return undefined;
    return `Its strings have up to ${length ?? 'any number of'} characters, but the column holds only ${mapped.length}.`;
  }
  return `Its type is ${type}, but that of the column is ${column.declared}.`;
}

function digitsText(digits: Digits | undefined): string {
  return digits ? `(${digits.precision},${digits.scale})` : '';
}

/** Types whose values may be kept in columns of texts, and read as texts. */
const textual: ReadonlySet<PropertyType> = new Set(['uuid', 'interval', 'inet', 'xml']);
const fractions: ReadonlySet<PropertyType> = new Set(['decimal', 'number']);

function fits(
  type: PropertyType,
  stored: PropertyType,
  { declared }: ExistingColumn,
  { dialect, isRead }: { readonly dialect: DialectName; readonly isRead: boolean },
): boolean {
  if (type === 'any' || type === stored) return true;
  const { booleansAreNumbers, propertyTypes } = dialectOf(dialect).ddl;
  // An array is stored as JSON where the database has no arrays, and read from JSON anywhere.
  if (isArray(type))
    return stored === 'json' && (isRead || ![...propertyTypes.values()].some(isArray));
  if (type === 'string') return stored === 'json' || textual.has(stored);
  if (textual.has(type)) return stored === 'string' || stored === 'json';
  if (fractions.has(type)) return fractions.has(stored) || (stored === 'integer' && isRead);
  // On this dialect a boolean is a number of any width.
  const isFlag = booleansAreNumbers && stored === 'boolean';
  if (type === 'integer') return isFlag || /\(\d+,0\)/.test(declared);
  return type === 'boolean' && booleansAreNumbers && stored === 'integer';
}
