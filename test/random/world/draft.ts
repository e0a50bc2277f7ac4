/** An entity that is being generated. */
import type { Property, PropertyType, Relation, RowExpression } from './domain.js';

/** An entity that is being generated: later steps may add to it. */
export interface Draft {
  readonly name: string;
  readonly table: string;
  primaryKey: readonly string[];
  uniqueKey: readonly string[];
  readonly properties: Property[];
  readonly relations: Relation[];
  readonly constraints: RowExpression[];
  index: string | undefined;
  readonly size: number;
}

/** The column types of keys that others can refer to, with their weights. */
export const keyTypes: readonly (readonly [number, PropertyType])[] = [
  [6, 'integer'],
  [3, 'string'],
  [1, 'decimal'],
  [1, 'date'],
  [1, 'dateTime'],
  [1, 'uuid'],
];
