/** The type of a property for each type of column. Other types are not supported. */
import type { PropertyType } from '../schema/model.js';

export type PropertyTypes = ReadonlyMap<string, PropertyType>;

/** Builds the table from a list of column types for each type of property. */
export function typesOf(lists: readonly (readonly [PropertyType, string])[]): PropertyTypes {
  return new Map(
    lists.flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
  );
}
