/** By which collation texts are compared: that of a column, where they have one. */
import { typeOf } from '../query/bind-operators.js';
import type { Bound, BoundColumn } from '../query/logical.js';
import { choicesOf } from '../query/narrow-bound.js';
import { partsOf } from '../query/same-bound.js';

/** Whether these are texts, and no column says how they are compared. */
export function isTextWithoutColumn(bound: readonly Bound[]): boolean {
  return bound.every(isText) && !bound.some(hasColumn);
}

/** The first column of text in an expression: its collation is that of the whole. */
export function firstText(bound: Bound): BoundColumn | undefined {
  if (bound.kind === 'column') return isText(bound) ? bound : undefined;
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
  if (bound.kind === 'column') return true;
  return bound.kind === 'reading' ? hasColumn(bound.stored) : textsOf(bound).some(hasColumn);
}

/** The texts that a text is made of. */
function textsOf(bound: Bound): readonly Bound[] {
  const choices = choicesOf(bound);
  return (choices.length > 0 ? choices : partsOf(bound)).filter(isText);
}
