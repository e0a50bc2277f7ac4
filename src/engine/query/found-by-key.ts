/** Whether a query finds its rows by a key, so that the values of its other conditions do not affect how. */
import type { Bound, BoundSelect } from './logical.js';
import { requiredColumns } from './rows.js';
import { sameBound } from './same-bound.js';

/** Whether the filter compares all properties of the primary key, or of the unique one, with values. */
export function isFoundByKey({ row, filter }: BoundSelect): boolean {
  const compared = filter ? comparedIn(filter) : [];
  const { primaryKey, uniqueKey } = row.entity;
  return [primaryKey, uniqueKey].some((names) => {
    const columns = requiredColumns(row, names);
    const isCompared = (column: Bound) => compared.some((each) => sameBound(each, column));
    return columns.length > 0 && columns.every(isCompared);
  });
}

/** What must be equal to a parameter or a literal, or to one of a list. */
function comparedIn(filter: Bound): readonly Bound[] {
  if (filter.kind === 'call') {
    const [value, list] = filter.arguments;
    return filter.signature.name === 'in' && value && list?.kind === 'parameter' ? [value] : [];
  }
  if (filter.kind !== 'binary') return [];
  const { operator, left, right } = filter;
  if (operator === '&&') return [...comparedIn(left), ...comparedIn(right)];
  if (operator !== '==') return [];
  return [...(isValue(right) ? [left] : []), ...(isValue(left) ? [right] : [])];
}

function isValue({ kind }: Bound): boolean {
  return kind === 'parameter' || kind === 'literal';
}
