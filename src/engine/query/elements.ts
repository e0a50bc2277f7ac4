/** The items of arrays: `p.tags[0]`. */
import { isArray, itemOf } from '../schema/array-types.js';
import type { Span } from '../errors.js';
import { typeOf } from './bind-operators.js';
import type { Bound, BoundElement } from './logical.js';

/** Whether the values of an expression are arrays. */
export function isOfItems(value: Bound): boolean {
  return itemTypeOf(value) !== undefined;
}

/** The item of an array at an index, counted from 0. */
export function elementAt(array: Bound, index: number, span: Span): BoundElement | undefined {
  const type = itemTypeOf(array);
  return type && { kind: 'element', array, index, type, span };
}

function itemTypeOf(value: Bound) {
  const type = typeOf(value);
  return type && isArray(type) ? itemOf(type) : undefined;
}
