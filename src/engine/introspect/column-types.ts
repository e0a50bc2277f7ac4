/** The type of a property for a column that is there. */
import type { ExistingColumn } from '../ddl/existing.js';
import { dialectOf } from '../dialects/dialects.js';
import type { DialectName, PropertyType } from '../schema/model.js';

/** The type of a property, with its length where there is one. */
export interface MappedType {
  readonly type: PropertyType;
  readonly length?: number;
}

/** Types whose length counts characters; that of others counts bytes. */
const counted = new Set(['varchar', 'bpchar', 'char']);

/** The type that a property of that column has; undefined where there is none for it. */
export function mappedType(column: ExistingColumn, dialect: DialectName): MappedType | undefined {
  if (column.enum) return { type: 'string', length: longest(column.enum.values) };
  const type = dialectOf(dialect).ddl.propertyTypes.get(column.type);
  if (type === undefined) return undefined;
  const length = type === 'string' ? lengthOf(column) : undefined;
  return { type, ...(length !== undefined && { length }) };
}

function lengthOf({ type, length }: ExistingColumn): number | undefined {
  return counted.has(type) ? length : undefined;
}

function longest(values: readonly string[]): number {
  return Math.max(1, ...values.map((value) => [...value].length));
}
