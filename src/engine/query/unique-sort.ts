/** Whether the sort of a query is unique, and which keys are missing for that. */
import type { Property } from '../schema/model.js';
import { isConstant } from './bind-sort.js';
import { hasAggregate } from './groups.js';
import type { Bound, BoundSelect, BoundSortKey, RowSource } from './logical.js';
import { requiredColumns } from './rows.js';
import { sameBound } from './same-bound.js';

type SortedSelect = Pick<BoundSelect, 'row' | 'outputs' | 'distinct' | 'grouped' | 'sort'>;

/**
 * The keys that make the sort unique, in the direction of its last key, or ascending. Undefined if the
 * rows have no key.
 */
export function missingKeys(select: SortedSelect): readonly BoundSortKey[] | undefined {
  const { sort } = select;
  const missing = identitiesOf(select).map((keys) =>
    keys.filter(({ value }) => !sort.some((key) => orders(key.value, value))),
  );
  if (missing.some((keys) => keys.length === 0)) return [];
  const [first] = missing;
  const descending = sort.at(-1)?.descending ?? false;
  return first?.map((key) => ({ ...key, descending }));
}

/** Whether rows that differ in `value` differ in `sorted`, which is the value or its text, as `concat(p.kind)` is. */
function orders(sorted: Bound, value: Bound): boolean {
  if (sameBound(sorted, value)) return true;
  if (sorted.kind !== 'call' || sorted.signature.name !== 'concat') return false;
  const [text, ...others] = sorted.arguments;
  const isText = value.kind === 'column' && value.type === 'string' && !value.nullable;
  return isText && others.length === 0 && text !== undefined && sameBound(text, value);
}

/**
 * Whether a page of the query or of its includes may repeat or skip rows, because their sort keys are
 * equal.
 */
export function hasUnstablePage(select: BoundSelect): boolean {
  const { limit, counted, includes } = select;
  if (limit?.kind === 'page' && !counted && missingKeys(select)?.length !== 0) return true;
  return includes.some((include) => hasUnstablePage(include.select));
}

type Key = Omit<BoundSortKey, 'descending'>;

/** The lists of values that are unique for each row, starting with the best one. */
function identitiesOf({ row, outputs, distinct, grouped }: SortedSelect): readonly Key[][] {
  const answered = outputs.flatMap(({ name, value }): Key[] => {
    return value.kind === 'parameter' || isConstant(value) ? [] : [{ value, output: name }];
  });
  if (grouped || distinct) {
    const keys = answered.filter(({ value }) => !hasAggregate(value));
    return [...answeredKey(row, keys), keys];
  }
  const { primaryKey, uniqueKey, properties } = row.entity;
  // A cursor contains the stored values, which expressions may hide.
  const isPlain = ({ readExp, readValue }: Property) => (readExp ?? readValue) === undefined;
  const isUsable = (name: string) =>
    properties.some((each) => each.name === name && each.required && isPlain(each)) &&
    row.location.columns.get(name)?.readMappingExp === undefined;
  const keys = [primaryKey, ...(uniqueKey.every(isUsable) ? [uniqueKey] : [])];
  return keys
    .filter(({ length }) => length > 0)
    .map((names) => requiredColumns(row, names).map((value) => ({ value, output: undefined })));
}

/** The primary key, if the answer contains it. */
function answeredKey(row: RowSource, answered: readonly Key[]): readonly Key[][] {
  const columns = requiredColumns(row, row.entity.primaryKey);
  const key = columns.flatMap((column) =>
    answered.filter(({ value }) => sameBound(value, column)).slice(0, 1),
  );
  return columns.length > 0 && key.length === columns.length ? [key] : [];
}
