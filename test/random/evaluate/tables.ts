/** Rows in memory, and the rows that a relation leads to. */
import type { Relation } from '../world/domain.js';
import { groupBy } from './group-by.js';
import { identityOf, type Value } from './value.js';

export type Row = ReadonlyMap<string, Value>;

/** The rows of each entity. A changed table is a new list. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

const none: readonly Row[] = [];
const indexes = new WeakMap<readonly Row[], Map<string, ReadonlyMap<string, readonly Row[]>>>();

/** The rows that a relation leads to; none if a value of its key is null. */
export function relatedRows(tables: Tables, row: Row, relation: Relation): readonly Row[] {
  const { from, entity, to, through } = relation;
  if (!through) return rowsWith(tables, entity, to, row, from);
  return rowsWith(tables, through.entity, through.from, row, from).flatMap((link) =>
    rowsWith(tables, entity, to, link, through.to),
  );
}

/** The rows of the entity whose properties `to` equal `from` of the row. */
function rowsWith(
  tables: Tables,
  entity: string,
  to: readonly string[],
  row: Row,
  from: readonly string[],
): readonly Row[] {
  if (!isWhole(row, from)) return none;
  return indexOf(tables.get(entity) ?? [], to).get(keyText(row, from)) ?? none;
}

/** Whether none of the values is null. */
export function isWhole(row: Row, names: readonly string[]): boolean {
  return names.every((name) => (row.get(name) ?? null) !== null);
}

/** A text that is equal for equal keys. */
export function keyText(row: Row, names: readonly string[]): string {
  return names.map((name) => identityOf(row.get(name) ?? null)).join('\n');
}

function indexOf(
  rows: readonly Row[],
  names: readonly string[],
): ReadonlyMap<string, readonly Row[]> {
  const known = indexes.get(rows) ?? new Map<string, ReadonlyMap<string, readonly Row[]>>();
  indexes.set(rows, known);
  const found = known.get(names.join());
  if (found) return found;
  const made = groupBy(rows, (row) => keyText(row, names));
  known.set(names.join(), made);
  return made;
}
