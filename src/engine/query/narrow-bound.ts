/** Parameters that stand in a choice (`a ?? b`, `c ? a : b`, `max(a)`) take the type that it meets. */
import type { PropertyType } from '../schema/model.js';
import type { Bound, BoundParameter } from './logical.js';
import { narrowSlot, type SlotUse } from './parameters.js';

/** Narrows every parameter whose value `bound` may have. Throws `type-mismatch`. */
export function narrowBound(bound: Bound, type: PropertyType, use: SlotUse): void {
  if (bound.kind === 'parameter') narrowSlot(bound.slot, type, bound.span, use);
  for (const choice of choicesOf(bound)) narrowBound(choice, type, use);
}

/** The parameters whose value `bound` may have. */
export function chosenParameters(bound: Bound): readonly BoundParameter[] {
  return bound.kind === 'parameter' ? [bound] : choicesOf(bound).flatMap(chosenParameters);
}

/** The choice, or null when it is one of nulls alone: a database would take that for a text. */
export function nullWhenOfNulls(bound: Bound): Bound {
  const choices = choicesOf(bound);
  const isOfNulls = choices.length > 0 && choices.every(({ kind }) => kind === 'null');
  return isOfNulls ? { kind: 'null', span: bound.span } : bound;
}

/** What gives a value of some row. */
const choosing: ReadonlySet<string> = new Set(['max', 'min', 'first', 'only']);

/** The expressions of which `bound` has the value of one; none when it is not a choice. */
export function choicesOf(bound: Bound): readonly Bound[] {
  switch (bound.kind) {
    case 'binary':
      return bound.operator === '??' ? [bound.left, bound.right] : [];
    case 'conditional':
      return [bound.consequent, bound.alternate];
    case 'call':
      if (bound.signature.name === 'nvl') return bound.arguments;
      return bound.signature.name === 'nvl2' ? bound.arguments.slice(1) : [];
    case 'aggregate':
    case 'subselect': {
      const { name, argument } = bound;
      return argument && choosing.has(name) ? [argument] : [];
    }
    default:
      return [];
  }
}
