/** Chooses the type of a property for an existing column. */
import type { ExistingColumn } from '../ddl/existing.js';
import { dialectOf } from '../dialects/dialects.js';
import type { Digits, DialectName, Property } from '../schema/model.js';

/** The type of a property, and its limits. */
export type MappedType = Pick<Property, 'type' | 'length' | 'digits' | 'isLong'>;

/** Types whose length counts characters; the length of other types counts bytes. */
const counted = new Set(['varchar', 'bpchar', 'char']);

/** The type of the property for a column; undefined if the column is not supported. */
export function mappedType(column: ExistingColumn, dialect: DialectName): MappedType | undefined {
  if (column.enum) {
    const longest = Math.max(1, ...column.enum.values.map((value) => [...value].length));
    return { type: 'string', length: longest };
  }
  const { ddl } = dialectOf(dialect);
  const type = ddl.propertyTypes.get(column.type);
  if (type === undefined) return undefined;
  const length = type === 'string' && counted.has(column.type) ? column.length : undefined;
  const isLong = ddl.isLong(column);
  const digits = column.digits && isUsual(column.digits) ? column.digits : undefined;
  return {
    type,
    // MySQL has `char(0)`.
    ...(length && { length }),
    ...(digits && { digits }),
    ...(isLong && { isLong }),
  };
}

/** PostgreSQL also has `numeric(2, -3)`, for thousands, and `numeric(2, 5)`. */
function isUsual({ precision, scale }: Digits): boolean {
  return scale >= 0 && scale <= precision;
}
