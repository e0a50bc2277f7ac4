/** Plans the cursors of a query with `after`: the sort keys of a row, and a hash of the sort. */
import type { CursorPlan, StatementPlan } from '../compiled-query.js';
import { dialectOf } from '../dialects/dialects.js';
import { invariant } from '../errors.js';
import type { BoundSelect } from '../query/logical.js';
import { hashText } from '../values/hash-text.js';
import { createAliases } from './aliases.js';
import { CURSOR_NAME } from './outputs.js';
import { renderOrder } from './render-order.js';
import { countOf } from './render-limit.js';

/** The plan of the cursors; undefined for a query without `after`. */
export function cursorPlanOf(select: BoundSelect, root: StatementPlan): CursorPlan | undefined {
  const { after, sort, limit, row } = select;
  if (!after) return undefined;
  invariant(limit?.kind === 'take', 'a page after a cursor has its number of rows');
  const column = root.columns.findIndex(
    ({ name, role }) => role === 'key' && name === `${CURSOR_NAME}0`,
  );
  const types = root.columns.slice(column, column + sort.length).map(({ type }) => type);
  const dialect = dialectOf(root.dialect);
  // Keys are the same only if their SQL is the same.
  const context = { dialect, aliases: createAliases(), arguments: [] };
  const keys = sort.map((key) => ({ ...key, output: undefined }));
  const order = renderOrder(context, keys);
  const mark = hashText([row.entity.name, ...order].join(' '));
  return { parameter: after.parameter, mark, column, types, take: countOf(limit.count) };
}
