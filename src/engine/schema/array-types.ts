/** The types of arrays and of their items. */
import { invariant } from '../errors.js';
import { type ArrayType, type ItemType, type PropertyType, scalarTypes } from './model.js';

const alone: ReadonlySet<string> = new Set(['json', 'binary', 'xml', 'any']);

/** The possible item types, by array type: `string` for `string[]`, and so on. */
const itemTypes: ReadonlyMap<PropertyType, ItemType> = new Map(
  scalarTypes
    .filter((type): type is ItemType => !alone.has(type))
    .map((type) => [`${type}[]`, type]),
);

/** All types that a property may have. */
export const propertyTypes: readonly PropertyType[] = [...scalarTypes, ...itemTypes.keys()];

/** Returns `string[]` for `string`; undefined if arrays cannot have such items. */
export function arrayOf(type: PropertyType): ArrayType | undefined {
  return propertyTypes.find((each): each is ArrayType => each === `${type}[]`);
}

/** Returns `string` for `string[]`. */
export function itemOf(type: ArrayType): ItemType {
  const item = itemTypes.get(type);
  invariant(item, `${type} has items`);
  return item;
}

export function isArray(type: PropertyType): type is ArrayType {
  return type.endsWith('[]');
}
