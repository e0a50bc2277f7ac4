/** The collation by which texts are compared: that of a column, if one is involved. */
import { typeOf } from '../query/bind-operators.js';
import type { Bound, BoundColumn } from '../query/logical.js';
import { choicesOf } from '../query/narrow-bound.js';
import { partsOf } from '../query/same-bound.js';

/** Whether these are texts, none of which comes from a column. */
export function isTextWithoutColumn(bound: readonly Bound[]): boolean {
  return bound.every(isText) && !bound.some(hasColumn);
}

/** The first text column in an expression, which determines the collation of the whole. */
export function firstText(bound: Bound): BoundColumn | undefined {
  if (bound.kind === 'column') return isText(bound) ? bound : undefined;
  if (bound.kind === 'jsonPath' || bound.kind === 'element') return undefined;
  if (bound.kind === 'reading') return firstText(bound.stored);
  // Outside of a sub-select, its columns cannot be named.
  if (bound.kind === 'subselect') return undefined;
  for (const part of textsOf(bound)) {
    const found = firstText(part);
    if (found) return found;
  }
  return undefined;
}

function isText(bound: Bound): boolean {
  const type = typeOf(bound);
  return type === 'string' || type === 'any';
}

function hasColumn(bound: Bound): boolean {
  if (bound.kind === 'jsonPath' || bound.kind === 'element') return false;
  if (bound.kind === 'column') return true;
  return bound.kind === 'reading' ? hasColumn(bound.stored) : textsOf(bound).some(hasColumn);
}

/** The texts that a text is made of. */
function textsOf(bound: Bound): readonly Bound[] {
  const choices = choicesOf(bound);
  return (choices.length > 0 ? choices : partsOf(bound)).filter(isText);
}
