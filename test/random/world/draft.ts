/** An entity in the making. */
import type { Property, PropertyType, Relation } from './domain.js';

/** An entity that is being made: what follows may still add to it. */
export interface Draft {
  readonly name: string;
  readonly table: string;
  primaryKey: readonly string[];
  uniqueKey: readonly string[];
  readonly properties: Property[];
  readonly relations: Relation[];
  index: string | undefined;
  readonly size: number;
}

/** Types of columns that can be a key that others refer to. */
export const keyTypes: readonly (readonly [number, PropertyType])[] = [
  [6, 'integer'],
  [3, 'string'],
  [1, 'decimal'],
  [1, 'date'],
  [1, 'dateTime'],
];
