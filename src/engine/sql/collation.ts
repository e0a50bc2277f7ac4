/** Determines the collation by which strings are compared: that of a column, if one is involved. */
import { typeOf } from '../query/bind-operators.js';
import type { Bound } from '../query/logical.js';
import { choicesOf } from '../query/narrow-bound.js';
import { partsOf } from '../query/same-bound.js';

/** Whether all of these are strings, and none of them comes from a column. */
export function isTextWithoutColumn(bound: readonly Bound[]): boolean {
  return bound.every(isText) && !bound.some(hasColumn);
}

/**
 * The first string column in an expression, which determines the collation of the whole expression. HAVING sees
 * no column in an aggregate or a `named` key, so that the whole aggregate or key stands for it.
 */
export function firstText(bound: Bound, isNamed: (bound: Bound) => boolean): Bound | undefined {
  if (bound.kind === 'column') return isText(bound) ? bound : undefined;
  if (bound.kind === 'jsonPath' || bound.kind === 'element') return undefined;
  if (bound.kind === 'aggregate' || isNamed(bound)) {
    return isText(bound) && hasColumn(bound) ? bound : undefined;
  }
  if (bound.kind === 'reading') return firstText(bound.stored, isNamed);
  // The columns of a sub-select cannot be named outside of it.
  if (bound.kind === 'subselect') return undefined;
  return textsOf(bound)
    .map((part) => firstText(part, isNamed))
    .find(Boolean);
}

/** Whether it is a string. A parameter whose type nothing tells is compared as one. */
export function isText(bound: Bound): boolean {
  const type = typeOf(bound) ?? (bound.kind === 'parameter' ? 'any' : undefined);
  return type === 'string' || type === 'any';
}

function hasColumn(bound: Bound): boolean {
  if (bound.kind === 'jsonPath' || bound.kind === 'element') return false;
  if (bound.kind === 'column') return true;
  return bound.kind === 'reading' ? hasColumn(bound.stored) : textsOf(bound).some(hasColumn);
}

/** The strings that a string is composed of. */
function textsOf(bound: Bound): readonly Bound[] {
  const choices = choicesOf(bound);
  return (choices.length > 0 ? choices : partsOf(bound)).filter(isText);
}
