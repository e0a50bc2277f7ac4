/** Rows in memory, and the rows that a relation leads to. */
import type { Relation } from '../world/domain.js';
import { groupBy } from './group-by.js';
import { identityOf, type Value } from './value.js';

export type Row = ReadonlyMap<string, Value>;

/** The rows of each entity. A changed table is a new list. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

const none: readonly Row[] = [];
const indexes = new WeakMap<readonly Row[], Map<string, ReadonlyMap<string, readonly Row[]>>>();

/** The rows that a relation leads to; none for null. */
export function relatedRows(tables: Tables, row: Row, relation: Relation): readonly Row[] {
  const key = row.get(relation.from) ?? null;
  if (key === null) return none;
  const rows = tables.get(relation.entity) ?? [];
  return indexOf(rows, relation.to).get(identityOf(key)) ?? none;
}

function indexOf(rows: readonly Row[], property: string): ReadonlyMap<string, readonly Row[]> {
  const known = indexes.get(rows) ?? new Map<string, ReadonlyMap<string, readonly Row[]>>();
  indexes.set(rows, known);
  const found = known.get(property);
  if (found) return found;
  const made = groupBy(rows, (row) => identityOf(row.get(property) ?? null));
  known.set(property, made);
  return made;
}
