/** Renders the conditions that a key is in a list: that of an include's parents, or of a batch. */
import type { BoundColumn } from '../query/logical.js';
import { keyOf } from '../query/rows.js';
import { placeholderFor } from './placeholders.js';
import { renderColumn, type RenderContext } from './render-expression.js';
import { renderAmongTuples, renderKeyColumn } from './render-part.js';

/** Whether an index of its entity begins with the column. */
export function isIndexed(column: BoundColumn | undefined): boolean {
  if (!column) return false;
  const { property, row } = column;
  const { entity } = row;
  const { primaryKey, uniqueKey, indexes } = entity;
  const all = [primaryKey, uniqueKey, ...indexes.map(({ fields }) => fields)];
  return all.some(([first]) => first === property);
}

export function renderBatchKeys(context: RenderContext, column: BoundColumn): string {
  const { dialect } = context;
  const keys = placeholderFor(context, { kind: 'parentKeys', type: column.type });
  const isByIndex = column.type === 'integer' && isIndexed(column);
  const among = (isByIndex && dialect.inList) || dialect.amongKeys;
  return among(renderColumn(context, column), keys, column.type);
}

/** `byIndex`: an index begins with the key, and the condition must be able to use it. */
export function renderParentKeys(
  context: RenderContext,
  parentKey: readonly BoundColumn[],
  byIndex: boolean,
): string {
  const column = keyOf(parentKey);
  if (column.kind === 'tuple') return renderAmongTuples(context, column);
  const keys = placeholderFor(context, { kind: 'parentKeys', type: column.type });
  const { inList } = context.dialect;
  const sql = renderKeyColumn(context, column);
  if (byIndex && inList) return inList(sql, keys, column.type);
  return `${sql} IN (${context.dialect.listRows(keys, column.type)})`;
}
