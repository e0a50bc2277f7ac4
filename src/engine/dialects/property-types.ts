/** The property types for column types. Other column types are not supported. */
import type { PropertyType } from '../schema/model.js';

export type PropertyTypes = ReadonlyMap<string, PropertyType>;

/** Builds the map from lists of column types, separated by blanks, for each property type. */
export function typesOf(lists: readonly (readonly [PropertyType, string])[]): PropertyTypes {
  return new Map(
    lists.flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
  );
}
