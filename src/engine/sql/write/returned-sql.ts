/** What a written row is answered with, where that is no plain column: expressions over the row. */
import { EngineError } from '../../errors.js';
import type { Bound, BoundColumn, RowSource } from '../../query/logical.js';
import type { PredicateContext } from './predicate-sql.js';
import { dialectOf } from '../../dialects/dialects.js';
import { HIDDEN as hiddenName, renderValue } from '../render-expression.js';
import { literalSql } from './literal-sql.js';

/** The SQL of a value of the row that is written, whose table has the alias of the row. */
export function returnedSql(
  { aliases, isHidden }: PredicateContext,
  row: RowSource,
  value: Bound,
): string {
  const { dialect } = row.location.source;
  const own = dialectOf(dialect);
  const columnText = (column: BoundColumn): string => {
    if (isHidden?.(column.row, column.property)) return hiddenName;
    if (column.row === row) return `${aliases.of(row)}.${own.quoteName(column.column)}`;
    const message = `Entity '${row.entity.name}' is read with properties of related rows: what was written cannot be answered so.`;
    throw new EngineError('unsupported', message);
  };
  const placeholderOverride = literalSql(dialect);
  return renderValue(
    { dialect: own, aliases, arguments: [], placeholderOverride, columnText },
    value,
  );
}
