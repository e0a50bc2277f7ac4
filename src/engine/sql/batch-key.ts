/** Finds the comparison of a column with a parameter by which a read selects its rows. */
import { allOf } from '../query/bind-lambda.js';
import type { Bound, BoundBinary, BoundColumn, BoundSelect } from '../query/logical.js';
import type { PropertyType } from '../schema/model.js';

/** Types whose values are equal in the database exactly if their texts are. */
const keyTypes: ReadonlySet<PropertyType> = new Set<PropertyType>(['integer', 'string']);

/** The key of a read, if each row can be assigned to a request by it; otherwise undefined. */
export function simpleKey(select: BoundSelect): FoundKey | undefined {
  if (select.limit || select.distinct || select.grouped || select.counted) return undefined;
  const found = equalityKey(select.filter);
  return found && keyTypes.has(found.column.type) ? found : undefined;
}

export interface FoundKey {
  readonly column: BoundColumn;
  readonly path: readonly string[];
  /** The remaining conditions. */
  readonly rest: Bound | undefined;
}

/**
 * The first condition that compares a column with a parameter, and the conditions joined to it by AND.
 */
export function equalityKey(filter: Bound | undefined): FoundKey | undefined {
  if (filter?.kind !== 'binary') return undefined;
  if (filter.operator === '==') return keyOf(filter);
  if (filter.operator !== '&&') return undefined;
  const left = equalityKey(filter.left);
  if (left) return { ...left, rest: allOf([left.rest, filter.right]) };
  const right = equalityKey(filter.right);
  return right && { ...right, rest: allOf([filter.left, right.rest]) };
}

function keyOf({ left, right }: BoundBinary): FoundKey | undefined {
  const [column, other] = left.kind === 'column' ? [left, right] : [right, left];
  if (column.kind !== 'column' || other.kind !== 'parameter') return undefined;
  return { column, path: other.slot.path, rest: undefined };
}
