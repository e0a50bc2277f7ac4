/** The types of arrays, and of what they hold. */
import { invariant } from '../errors.js';
import { type ArrayType, type ItemType, type PropertyType, scalarTypes } from './model.js';

const alone: ReadonlySet<string> = new Set(['json', 'binary', 'xml', 'any']);

/** `string` by `string[]`, and so on: what an array may hold. */
const itemTypes: ReadonlyMap<PropertyType, ItemType> = new Map(
  scalarTypes
    .filter((type): type is ItemType => !alone.has(type))
    .map((type) => [`${type}[]`, type]),
);

/** All types that a property may have. */
export const propertyTypes: readonly PropertyType[] = [...scalarTypes, ...itemTypes.keys()];

/** `string[]` for `string`; undefined for what an array cannot hold. */
export function arrayOf(type: PropertyType): ArrayType | undefined {
  return propertyTypes.find((each): each is ArrayType => each === `${type}[]`);
}

/** `string` for `string[]`. */
export function itemOf(type: ArrayType): ItemType {
  const item = itemTypes.get(type);
  invariant(item, `${type} has items`);
  return item;
}

/** Whether the values of a type are arrays. */
export function isArray(type: PropertyType): type is ArrayType {
  return type.endsWith('[]');
}
