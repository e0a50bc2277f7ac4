/** Renders predicates on a written row, with the alias of its table. */
import type { WriteCheck } from '../../compiled-write.js';
import type { Bound, RowSource } from '../../query/logical.js';
import type { BoundCheck } from '../../query/write/bind-checks.js';
import type { Aliases } from '../aliases.js';
import { type IsHidden, renderCondition } from '../render-expression.js';
import { literalContext } from './literal-sql.js';

/** How predicates are rendered; `isHidden` is set for the redacted text of a plan. */
export interface PredicateContext {
  readonly aliases: Aliases;
  readonly isHidden?: IsHidden | undefined;
}

/**
 * The SQL of a predicate. Constants are literals, because the placeholders belong to the values of
 * rows.
 */
export function predicateSql(
  { aliases, isHidden }: PredicateContext,
  { location }: RowSource,
  condition: Bound,
): string {
  const own = literalContext(location.source.dialect, aliases);
  return renderCondition({ ...own, isHidden }, condition);
}

/** The SQL of a predicate as a column. MariaDB returns a `bit` as it is stored, not as 1 or 0. */
export function checkSql(context: PredicateContext, row: RowSource, condition: Bound): string {
  const sql = predicateSql(context, row, condition);
  return STORED.has(condition.kind) ? `${sql} IS TRUE` : sql;
}

/** What may be a stored value. */
const STORED: ReadonlySet<Bound['kind']> = new Set(['column', 'reading', 'subselect']);

/** Checks of a written row, as columns that the statement returns. */
export function writeChecks(
  context: PredicateContext,
  row: RowSource,
  checks: readonly BoundCheck[],
): readonly WriteCheck[] {
  return checks.map(({ condition, reference, isHidden }) => ({
    sql: checkSql(context, row, condition),
    ...(reference && { reference }),
    ...(isHidden && { hidden: true }),
  }));
}

/** The name of the n-th check among the returned columns. */
export function checkName(index: number): string {
  return `__check${index + 1}`;
}
