/**
 * Renders a DELETE of filtered rows: by the condition itself, or by the keys of rows that were locked
 * before.
 */
import type { RowSource } from '../../query/logical.js';
import type { BoundFilteredWrite } from '../../query/write/bound-write.js';
import { renderTable, type RenderContext } from '../render-expression.js';
import { renderLink } from '../render-link.js';
import { parametersOf } from '../render-statements.js';
import {
  amongLockedKeys,
  filterCondition,
  filterConditionOfWrite,
  lockedColumns,
  locksRowsFirst,
  isOwnRefused,
  lockingSelect,
  type WrittenLevel,
} from './filter-condition.js';
import {
  type FilteredWriteOptions,
  contextOf,
  type RenderedFilteredWrite,
} from './rendered-filtered-write.js';
import { quoteTable } from '../../dialects/table-name.js';

/** Renders the statement. `parents` are the writes that lead to its rows, starting with the root. */
export function renderDelete(
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
  options: FilteredWriteOptions,
): RenderedFilteredWrite {
  if (parents.length === 0 && locksRowsFirst(bound)) return renderByKey(bound, options);
  const context = contextOf(bound, options);
  const hasKey = bound.row.location.entity.primaryKey.length > 0;
  const { readsWritten } = context.dialect.writes;
  const text =
    !hasKey && isOwnRefused(context, bound) && readsWritten.includes('update')
      ? unaliased(bound, parents, context)
      : deleteText(context, bound.row, () => filterConditionOfWrite(context, bound, parents));
  return {
    text,
    arguments: context.arguments,
    parameters: parametersOf(context.arguments),
    assigned: [],
  };
}

/** Renders the head before the condition, so that the row gets the first alias. */
function deleteText(
  context: RenderContext,
  row: RowSource,
  condition: () => string | undefined,
): string {
  const { deleteFrom } = context.dialect.writes;
  const head = deleteFrom(renderTable(context, row), context.aliases(row));
  const where = condition();
  return where === undefined ? head : `${head} WHERE ${where}`;
}

/**
 * Renders a DELETE without an alias: only then does MariaDB let it read its own table. No other table
 * may have the name of this one as its alias.
 */
function unaliased(
  bound: BoundFilteredWrite,
  parents: readonly WrittenLevel[],
  context: RenderContext,
): string {
  const { row } = bound;
  const { mapping } = row.location.entity;
  const { dialect } = context;
  const aliases = (each: RowSource) =>
    each === row
      ? quoteTable(dialect, mapping)
      : dialect.quoteAlias(`${mapping} ${context.aliases(each)}`);
  const where = filterCondition({ ...context, aliases }, bound, parents);
  const head = `DELETE FROM ${renderTable(context, row)}`;
  return where === undefined ? head : `${head} WHERE ${where}`;
}

function renderByKey(
  bound: BoundFilteredWrite,
  options: FilteredWriteOptions,
): RenderedFilteredWrite {
  const { row } = bound;
  const chosen = contextOf(bound, options);
  const locked = lockedColumns(bound);
  const columns = locked.map((value) => renderLink(chosen, value));
  const before = lockingSelect(chosen, bound, [], columns);
  const redacted = contextOf(bound, options);
  const context = contextOf(bound, options);
  const [key] = locked;
  return {
    text: deleteText(context, row, () => amongLockedKeys(context, key, 0)),
    displayed: deleteText(redacted, row, () => filterCondition(redacted, bound, [])),
    before: { text: before, arguments: chosen.arguments },
    byKey: { types: locked.map((each) => (each.kind === 'tuple' ? 'json' : each.type)) },
    arguments: context.arguments,
    parameters: parametersOf(chosen.arguments),
    assigned: [],
  };
}
