/** The equality of a column and a parameter by which a read finds its rows. */
import type { Bound, BoundBinary, BoundColumn, BoundSelect } from '../query/logical.js';
import type { PropertyType } from '../schema/model.js';

/** Types whose equality in the database is that of their texts. */
const keyTypes: ReadonlySet<PropertyType> = new Set<PropertyType>(['integer', 'string']);

/** The key of a read whose rows are each one request's, and as they are. */
export function simpleKey(select: BoundSelect): FoundKey | undefined {
  if (select.limit || select.distinct || select.grouped || select.counted) return undefined;
  const found = equalityKey(select.filter);
  return found && keyTypes.has(found.column.type) ? found : undefined;
}

export interface FoundKey {
  readonly column: BoundColumn;
  readonly path: readonly string[];
  /** The other conditions. */
  readonly rest: Bound | undefined;
}

/** The first condition that compares a column with a parameter, and what stands beside it. */
export function equalityKey(filter: Bound | undefined): FoundKey | undefined {
  if (filter?.kind !== 'binary') return undefined;
  if (filter.operator === '==') return keyOf(filter);
  if (filter.operator !== '&&') return undefined;
  const left = equalityKey(filter.left);
  if (left) return { ...left, rest: both(left.rest, filter.right, filter) };
  const right = equalityKey(filter.right);
  return right && { ...right, rest: both(filter.left, right.rest, filter) };
}

function keyOf({ left, right }: BoundBinary): FoundKey | undefined {
  const [column, other] = left.kind === 'column' ? [left, right] : [right, left];
  if (column.kind !== 'column' || other.kind !== 'parameter') return undefined;
  return { column, path: other.slot.path, rest: undefined };
}

function both(left: Bound | undefined, right: Bound | undefined, filter: BoundBinary) {
  if (!left || !right) return left ?? right;
  return { ...filter, left, right };
}
