/** The inputs and the result of rendering an UPDATE or DELETE of filtered rows. */
import type { Argument, Parameter } from '../../compiled-query.js';
import type { FilteredWrite } from '../../compiled-write.js';
import type { BoundFilteredWrite } from '../../query/write/bound-write.js';
import { dialectOf } from '../../dialects/dialects.js';
import type { RenderContext } from '../render-expression.js';
import type { PredicateContext } from './predicate-sql.js';

export interface FilteredWriteOptions extends PredicateContext {
  /** The properties that the statement returns for each row. */
  readonly returned: readonly string[];
}

export interface RenderedFilteredWrite
  extends Pick<FilteredWrite, 'assigned' | 'before' | 'byKey' | 'after' | 'merged'> {
  readonly text: string;
  readonly arguments: readonly Argument[];
  readonly parameters: readonly Parameter[];
  /** The text that the plan displays, if it differs. */
  readonly displayed?: string;
}

/** A new context for one of the write's statements. */
export function contextOf(
  { row }: BoundFilteredWrite,
  { aliases, isHidden }: FilteredWriteOptions,
): RenderContext {
  return { dialect: dialectOf(row.location.source.dialect), aliases, isHidden, arguments: [] };
}
