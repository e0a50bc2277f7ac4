/** Which type a property has for each type of column; what is not among them cannot be mapped. */
import type { PropertyType } from '../schema/model.js';

export type PropertyTypes = ReadonlyMap<string, PropertyType>;

/** The types by the names of columns' types, of which each type has a list. */
export function typesOf(lists: readonly (readonly [PropertyType, string])[]): PropertyTypes {
  return new Map(
    lists.flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
  );
}
