/** Whether a property can be read from a column of that type, and written to it. */
import type { ExistingColumn } from '../ddl/existing.js';
import { dialectOf } from '../dialects/dialects.js';
import { mappedType } from '../introspect/column-types.js';
import type { DialectName, Property, PropertyType } from '../schema/model.js';

/** Why the property does not fit the column; undefined where it does. */
export function disagreement(
  property: Property,
  column: ExistingColumn,
  dialect: DialectName,
): string | undefined {
  const { type, length } = property;
  const mapped = mappedType(column, dialect);
  const isText = type === 'any' || type === 'string';
  if (mapped === undefined ? isText : fits(type, mapped.type, column, dialect)) {
    const isLonger = mapped?.length !== undefined && (length ?? Infinity) > mapped.length;
    if (type !== 'string' || property.view === true || !isLonger) return undefined;
    return `Its texts have up to ${length ?? 'any number of'} characters, those of the column ${mapped.length}.`;
  }
  return `It is of type ${type}, and the column ${column.declared}.`;
}

/** Types whose values may be kept in columns of texts, and read as texts. */
const textual: ReadonlySet<PropertyType> = new Set(['uuid', 'interval', 'inet', 'xml']);
const fractions: ReadonlySet<PropertyType> = new Set(['decimal', 'number']);

function fits(
  type: PropertyType,
  stored: PropertyType,
  { declared }: ExistingColumn,
  dialect: DialectName,
): boolean {
  if (type === 'any' || type === stored) return true;
  if (type === 'string') return stored === 'json' || textual.has(stored);
  if (textual.has(type)) return stored === 'string' || stored === 'json';
  if (fractions.has(type)) return stored === 'integer' || fractions.has(stored);
  // A boolean is a number there, whatever its width.
  const { booleansAreNumbers } = dialectOf(dialect).ddl;
  const isFlag = booleansAreNumbers && stored === 'boolean';
  if (type === 'integer') return isFlag || /\(\d+,0\)/.test(declared);
  return type === 'boolean' && booleansAreNumbers && stored === 'integer';
}
