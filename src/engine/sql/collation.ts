/** The collation by which texts are compared: that of a column, if one is involved. */
import { typeOf } from '../query/bind-operators.js';
import type { Bound, BoundColumn } from '../query/logical.js';
import { partsOf } from '../query/same-bound.js';

/** Whether these are texts, none of which comes from a column. */
export function isTextWithoutColumn(bound: readonly Bound[]): boolean {
  return bound.every(isText) && !bound.some(mayHaveColumn);
}

/** The first text column in an expression, which determines the collation of the whole. */
export function firstText(bound: Bound): BoundColumn | undefined {
  if (bound.kind === 'column') return bound.type === 'string' ? bound : undefined;
  if (bound.kind === 'reading') return firstText(bound.stored);
  for (const part of partsOf(bound)) {
    const found = firstText(part);
    if (found) return found;
  }
  return undefined;
}

function isText(bound: Bound): boolean {
  const type = typeOf(bound);
  return type === 'string' || type === 'any';
}

function mayHaveColumn(bound: Bound): boolean {
  if (bound.kind === 'subselect' || bound.kind === 'aggregate') return true;
  return firstText(bound) !== undefined || partsOf(bound).some(mayHaveColumn);
}
