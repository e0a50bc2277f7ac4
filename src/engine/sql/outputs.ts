/** The columns of a sentence: those that are answered, and those that only tie rows together. */
import type { Column } from '../compiled-query.js';
import { typeOf } from '../query/bind-operators.js';
import type { Bound, BoundSelect } from '../query/logical.js';
import { requiredColumn } from '../query/rows.js';

export interface Output {
  readonly name: string;
  readonly value: Bound;
  readonly role: Column['role'];
}

/**
 * The columns of a select in the order of its SELECT list: the values, the keys that inclusions
 * start from, the root's own key (`__id`), and of an inclusion the key of its parent.
 */
export function outputsOf(select: BoundSelect, parentKey: string | undefined): readonly Output[] {
  const values = select.outputs.map((output): Output => ({ ...output, role: 'value' }));
  const { row } = select;
  const isPlainRoot = parentKey === undefined && select.whole;
  const ownKeys = isPlainRoot ? row.entity.primaryKey : [];
  const starts = select.inclusions.map(({ relation }) => relation.from);
  const names = new Set([...starts.filter((name) => !ownKeys.includes(name)), ...ownKeys]);
  const keys = [...names].map(
    (name): Output => ({ name: `__${name}`, value: requiredColumn(row, name), role: 'key' }),
  );
  if (parentKey === undefined) return [...values, ...keys];
  const parent = requiredColumn(row, parentKey);
  return [...values, ...keys, { name: 'ServiceParentId', value: parent, role: 'parent' }];
}

/** What is told of a column. */
export function outputColumn({ name, value, role }: Output): Column {
  return { name, type: typeOf(value) ?? 'any', role };
}
