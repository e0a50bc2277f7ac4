/** Parts of a bound query that Rowgate adds: they have no place in the query's text. */
import type { Span } from '../errors.js';
import type { PropertyType } from '../schema/model.js';
import type { Bound, BoundAggregate, BoundBinary, BoundLiteral, BoundNull } from './logical.js';

export const noSpan: Span = { start: 0, end: 0 };

export const boundNull: BoundNull = { kind: 'null', span: noSpan };

export const countOfRows: BoundAggregate = {
  kind: 'aggregate',
  name: 'count',
  argument: undefined,
  distinct: false,
  type: 'integer',
  span: noSpan,
};

export function literalOf(type: PropertyType, text: string): BoundLiteral {
  return { kind: 'literal', text, type, span: noSpan };
}

/** A condition. `span`: the place of what it is made from. */
export function condition(
  operator: BoundBinary['operator'],
  left: Bound,
  right: Bound,
  span = noSpan,
): BoundBinary {
  return { kind: 'binary', operator, left, right, type: 'boolean', span };
}
