/**
 * Narrows the types of parameters in a choice (`a ?? b`, `c ? a : b`, `max(a)`) to the type of its
 * context.
 */
import type { PropertyType } from '../schema/model.js';
import type { Bound, BoundAggregate, BoundParameter } from './logical.js';
import { narrowSlot, type SlotUse } from './parameters.js';
import { partsOf } from './same-bound.js';

/** Narrows every parameter whose value may become that of `bound`. Throws `type-mismatch`. */
export function narrowBound(bound: Bound, type: PropertyType, use: SlotUse): void {
  if (bound.kind === 'parameter') narrowSlot(bound.slot, type, bound.span, use);
  for (const choice of choicesOf(bound)) narrowBound(choice, type, use);
}

/** The parameters whose value may become that of `bound`. */
export function chosenParameters(bound: Bound): readonly BoundParameter[] {
  return bound.kind === 'parameter' ? [bound] : choicesOf(bound).flatMap(chosenParameters);
}

/** The expression, or null if it chooses among nulls only, which a database would treat as a string. */
export function nullWhenOfNulls(bound: Bound): Bound {
  const choices = choicesOf(bound);
  const isOfNulls = choices.length > 0 && choices.every(({ kind }) => kind === 'null');
  if (!isOfNulls) return bound;
  const aggregate = aggregateIn(bound);
  return { kind: 'null', span: bound.span, ...(aggregate && { aggregate }) };
}

function aggregateIn(bound: Bound): BoundAggregate | undefined {
  return bound.kind === 'aggregate' ? bound : partsOf(bound).map(aggregateIn).find(Boolean);
}

/** Aggregates that return a value of one of their rows. */
const choosing: ReadonlySet<string> = new Set(['max', 'min', 'first', 'only']);

/** The expressions among which `bound` chooses its value; none if it is not a choice. */
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
