/** By which collation texts are compared: that of a column, where they have one. */
import { typeOf } from '../query/bind-operators.js';
import type { Bound, BoundColumn } from '../query/logical.js';
import { partsOf } from '../query/same-bound.js';

/** Whether these are texts, and no column says how they are compared. */
export function isTextWithoutColumn(bound: readonly Bound[]): boolean {
  return bound.every(isText) && !bound.some(mayHaveColumn);
}

/** The first column of text in an expression: its collation is that of the whole. */
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
