/**
 * Renders the conditions that select the rows of an UPDATE or DELETE, and the rows that refer to them.
 */
import { EngineError } from '../../errors.js';
import { conjuncts, guardFilter, guardOwnFilter } from '../../query/guard-by-case.js';
import type { Bound, BoundColumn, BoundTuple, RowSource } from '../../query/logical.js';
import { keyValue, requiredColumn, rowConditions } from '../../query/rows.js';
import { rowsFrom, sameBound, someWithin } from '../../query/same-bound.js';
import { readsTable, selectsFrom } from '../../query/write/reads-table.js';
import type { BoundFilteredWrite, BoundWriteInclude } from '../../query/write/bound-write.js';
import { placeholderFor } from '../placeholders.js';
import {
  renderColumn,
  renderCondition,
  renderRowConditions,
  renderTable,
  type RenderContext,
} from '../render-expression.js';
import { renderJoins } from '../render-joins.js';
import { renderAmongTuples } from '../render-part.js';

/** A write, and the relation from its rows to those of the level below. */
export interface WrittenLevel {
  readonly parent: BoundFilteredWrite;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The condition on the rows of `bound.row` as written in a SELECT; undefined for all rows. */
export function filterCondition(
  context: RenderContext,
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
): string | undefined {
  const { row, filtered, filter } = bound;
  const level = parents.at(-1);
  if (level && parents.length === 1 && locksRowsFirst(level.parent)) {
    const start = keyValue(level.parent.row, level.from);
    const column = lockedColumns(level.parent).findIndex((each) => sameBound(each, start));
    const among = amongLockedKeys(context, keyValue(row, level.to), column);
    return [among, ...renderRowConditions(context, row)].join(' AND ');
  }
  if (level) {
    const select = selectOf(context, level.parent, parents.slice(0, -1), level.from);
    const { mapping } = row.location.entity;
    const isOwn = parents.some(
      ({ parent }) => parent.row.location.entity.mapping === mapping || readsTable(parent, mapping),
    );
    const among = amongRows(context, row, level.to, select, isOwn);
    return [among, ...renderRowConditions(context, row)].join(' AND ');
  }
  if (row === filtered || !filter) return conditionOf(context, row, filter);
  const conditions = [amongFiltered(context, bound), conditionOf(context, row, bound.recheck)];
  return conditions.filter((each) => each !== undefined).join(' AND ');
}

/**
 * The condition that a row is among those that the filter finds. It reads them as they were before the statement waited
 * for a lock, so that it does not suffice: another writer may have changed the row.
 */
function amongFiltered(context: RenderContext, bound: BoundFilteredWrite): string {
  // The whole key, even if a view hides parts of it.
  const keys = bound.row.location.entity.primaryKey;
  return amongRows(context, bound.row, keys, selectOf(context, bound, [], keys), true);
}

/**
 * The condition as written in the UPDATE or DELETE itself, where some databases cannot read the target
 * table.
 */
export function filterConditionOfWrite(
  context: RenderContext,
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
): string | undefined {
  if (!isOwnRefused(context, bound)) return filterCondition(context, bound, parents);
  const { row, filtered } = bound;
  const among =
    row === filtered ? amongChosen(context, bound, parents) : amongFiltered(context, bound);
  return [among, ...ownConditions(context, bound)].join(' AND ');
}

/** The condition that a row is among those that a SELECT under the same alias finds. */
function amongChosen(
  context: RenderContext,
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
): string {
  const { row } = bound;
  const keys = row.location.entity.primaryKey;
  if (keys.length === 0) requireKey(context, bound, 'its filter reads other rows of its table');
  const columns = keys.map((name) => renderColumn(context, requiredColumn(row, name)));
  const from = `FROM ${renderTable(context, row)} ${context.aliases(row)}`;
  const where = filterCondition(context, bound, parents) ?? 'TRUE';
  return amongRows(context, row, keys, `SELECT ${columns.join(', ')} ${from} WHERE ${where}`, true);
}

/** The conditions on the written row that read no other row of its table and no joined one. */
function ownConditions(context: RenderContext, bound: BoundFilteredWrite): string[] {
  const { row, filter, recheck = filter } = bound;
  const joined = rowsFrom(row).slice(1);
  const isOfJoined = (part: Bound) => part.kind === 'column' && joined.includes(part.row);
  const filters = (recheck ? conjuncts(recheck) : []).map((each) => guardOwnFilter(row, each));
  return [...rowConditions(row), ...filters]
    .filter((each) => !someWithin(each, isOfJoined))
    .filter((each) => !selectsFrom(each, row.location.entity.mapping))
    .map((each) => renderCondition(context, each));
}

/** Throws `unsupported` for a write that would find its rows by their key if they had one. */
export function requireKey(
  { dialect }: RenderContext,
  { action, row, nameSpan }: BoundFilteredWrite,
  reason: string,
): never {
  const what = `${action === 'update' ? 'an update' : 'a delete'} of entity '${row.entity.name}'`;
  const message = `On ${dialect.name}, ${what} needs a primary key if ${reason}.`;
  throw new EngineError('unsupported', message, { span: nameSpan });
}

/** A SELECT of `columns` from the rows that a write selects, which locks them. */
export function lockingSelect(
  context: RenderContext,
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
  columns: readonly string[],
): string {
  const where = filterCondition(context, bound, parents);
  const from = `FROM ${renderTable(context, bound.row)} ${context.aliases(bound.row)}`;
  const condition = where === undefined ? '' : ` WHERE ${where}`;
  return `SELECT ${columns.join(', ')} ${from}${condition} FOR UPDATE`;
}

/** Whether the condition reads the target table, and the database refuses that under an alias. */
export function isOwnRefused({ dialect }: RenderContext, bound: BoundFilteredWrite): boolean {
  const { readsWritten } = dialect.writes;
  if (readsWritten.includes(bound.action)) return false;
  return readsTable(bound, bound.row.location.entity.mapping);
}

/**
 * Whether a separate statement must select and lock the rows before they are deleted. The rows that
 * refer to them are deleted first, and after that the condition may no longer hold, or the rows may be
 * gone, because they refer to themselves or to each other.
 */
export function locksRowsFirst(bound: BoundFilteredWrite): boolean {
  const { action, row, filter, keyedBy, includes } = bound;
  const isUnsettled =
    (filter !== undefined && !keyedBy) ||
    row.predicates.length > 0 ||
    writesTable(includes, row.location.entity.mapping);
  const hasKey = row.location.entity.primaryKey.length > 0;
  return action === 'delete' && includes.length > 0 && hasKey && isUnsettled;
}

function writesTable(includes: readonly BoundWriteInclude[], mapping: string): boolean {
  return includes.some(
    ({ write }) =>
      write.row.location.entity.mapping === mapping || writesTable(write.includes, mapping),
  );
}

/**
 * The columns that are read from the locked rows: their key, and the values that relations start from.
 */
export function lockedColumns({
  row,
  includes,
}: BoundFilteredWrite): readonly [LockedKey, ...LockedKey[]] {
  const own = keyValue(row, row.location.entity.primaryKey);
  const starts = includes.map(({ relation }) => keyValue(row, relation.from));
  const isFirst = (key: LockedKey, index: number) =>
    !sameBound(key, own) && starts.findIndex((other) => sameBound(key, other)) === index;
  return [own, ...starts.filter(isFirst)];
}

type LockedKey = BoundColumn | BoundTuple;

/** The condition that a key is among those of the locked rows. */
export function amongLockedKeys(context: RenderContext, key: LockedKey, column: number): string {
  if (key.kind === 'tuple') return renderAmongTuples(context, key, column);
  const { type } = key;
  const placeholder = placeholderFor(context, { kind: 'parentKeys', type, column });
  return context.dialect.amongKeys(renderColumn(context, key), placeholder, type);
}

/** The filter and the row's predicates. A sub-select reads joined rows. */
function conditionOf(
  context: RenderContext,
  row: RowSource,
  filter: Bound | undefined,
): string | undefined {
  if (row.joins.size === 0 || !filter) return plainCondition(context, row, filter);
  // Placeholders without numbers have the order of the text.
  const conditions = renderRowConditions(context, row);
  const joins = renderJoins(context, row).join(' ');
  const condition = renderCondition(context, guardFilter(row, filter));
  const joined = `EXISTS (SELECT 1 FROM (SELECT 1) AS one ${joins} WHERE ${condition})`;
  return [...conditions, joined].join(' AND ');
}

/** The filter and the row's predicates, where joined rows are part of the statement. */
function plainCondition(
  context: RenderContext,
  row: RowSource,
  filter: Bound | undefined,
): string | undefined {
  const conditions = renderRowConditions(context, row);
  if (filter) conditions.push(renderCondition(context, guardFilter(row, filter)));
  return conditions.length === 0 ? undefined : conditions.join(' AND ');
}

function amongRows(
  context: RenderContext,
  row: RowSource,
  names: readonly string[],
  select: string,
  isOwn: boolean,
): string {
  const keys = names.map((name) => renderColumn(context, requiredColumn(row, name)));
  return context.dialect.writes.amongRows(keys, select, isOwn);
}

/** A SELECT of properties of the rows that a write selects. */
function selectOf(
  context: RenderContext,
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
  names: readonly string[],
): string {
  const isBelow = parents.length > 0;
  const row = isBelow ? bound.row : bound.filtered;
  const columns = names.map((name) => renderColumn(context, requiredColumn(row, name)));
  const from = `FROM ${renderTable(context, row)} ${context.aliases(row)}`;
  const joins = renderJoins(context, row);
  const where = isBelow
    ? filterCondition(context, bound, parents)
    : plainCondition(context, row, bound.filter);
  const parts = [`SELECT ${columns.join(', ')}`, from, ...joins];
  return (where === undefined ? parts : [...parts, `WHERE ${where}`]).join(' ');
}
