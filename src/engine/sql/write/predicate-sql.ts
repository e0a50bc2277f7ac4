/**
 * Renders the schema's own expressions for a write, such as predicates on a written row. Constants are literals,
 * because all placeholders belong to the values of rows.
 */
import type { Argument } from '../../compiled-query.js';
import type { WriteCheck } from '../../compiled-write.js';
import { dialectOf } from '../../dialects/dialects.js';
import { EngineError } from '../../errors.js';
import type { Bound, RowSource } from '../../query/logical.js';
import type { BoundCheck } from '../../query/write/bind-checks.js';
import type { DialectName } from '../../schema/model.js';
import type { Aliases } from '../aliases.js';
import { type IsHidden, renderCondition, type RenderContext } from '../render-expression.js';

/** How predicates are rendered; `isHidden` is set for the redacted text of a plan. */
export interface PredicateContext {
  readonly aliases: Aliases;
  readonly isHidden?: IsHidden | undefined;
}

/** A context in which every constant is a literal. A value that is known only at a request throws `unsupported`. */
export function literalContext(dialect: DialectName, aliases: Aliases): RenderContext {
  const own = dialectOf(dialect);
  const placeholderOverride = (argument: Argument): string => {
    if (argument.kind === 'literal') {
      return own.ddl.text(own.ddl.scalar(argument.text, argument.type));
    }
    throw new EngineError('unsupported', 'It uses a value that is known only when a request runs.');
  };
  return { dialect: own, aliases, arguments: [], placeholderOverride };
}

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
