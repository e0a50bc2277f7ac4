/** Tells the assigned values that need no SQL. */
import type { AssignedField } from '../../compiled-write.js';
import type { Bound } from '../../query/logical.js';
import { slotType } from '../../query/parameters.js';

/** A value that needs no SQL. */
export function argumentOf(
  value: Bound,
): Exclude<AssignedField['value'], { kind: 'computed' }> | undefined {
  switch (value.kind) {
    case 'null':
      return { kind: 'null' };
    case 'literal':
      return { kind: 'literal', text: value.text, type: value.type };
    case 'parameter':
      return { kind: 'parameter', path: value.slot.path, type: slotType(value.slot) ?? 'any' };
    default:
      return undefined;
  }
}
