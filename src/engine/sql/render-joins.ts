/** Renders the joins of a row to related ones. */
import { requiredColumns } from '../query/rows.js';
import type { RowSource } from '../query/logical.js';
import {
  renderColumn,
  renderRowConditions,
  renderTable,
  type RenderContext,
} from './render-expression.js';

/** The joins of a row, and of the rows joined to it. */
export function renderJoins(context: RenderContext, row: RowSource): string[] {
  return [...row.joins.values()].flatMap(({ relation, row: joined }) => {
    const table = renderTable(context, joined);
    const left = requiredColumns(joined, relation.to);
    const ties = requiredColumns(row, relation.from).map(
      (right, index) =>
        `${renderColumn(context, left[index] ?? right)} = ${renderColumn(context, right)}`,
    );
    const kind = joined.optional ? 'LEFT' : 'INNER';
    const on = [...ties, ...renderRowConditions(context, joined)].join(' AND ');
    const join = `${kind} JOIN ${table} ${context.aliases(joined)} ON ${on}`;
    return [join, ...renderJoins(context, joined)];
  });
}
