/** The inputs and the result of rendering an UPDATE or DELETE of filtered rows. */
import type { Argument, Parameter } from '../../compiled-query.js';
import type { AssignedField, FilteredWrite } from '../../compiled-write.js';
import type { BoundFilteredWrite } from '../../query/write/bound-write.js';
import type { Aliases } from '../aliases.js';
import { dialectOf } from '../../dialects/dialects.js';
import type { IsHidden, RenderContext } from '../render-expression.js';

export interface FilteredWriteOptions {
  readonly aliases: Aliases;
  /** The properties that the statement returns for each row. */
  readonly returned: readonly string[];
  readonly isHidden?: IsHidden | undefined;
}

export interface RenderedFilteredWrite {
  readonly text: string;
  readonly arguments: readonly Argument[];
  readonly parameters: readonly Parameter[];
  readonly assigned: readonly AssignedField[];
  /** The text that the plan displays, if it differs. */
  readonly displayed?: string;
  readonly before?: FilteredWrite['before'];
  readonly byKey?: FilteredWrite['byKey'];
  readonly after?: FilteredWrite['after'];
  readonly merged?: FilteredWrite['merged'];
}

/** A new context for one of the write's statements. */
export function contextOf(
  { row }: BoundFilteredWrite,
  { aliases, isHidden }: FilteredWriteOptions,
): RenderContext {
  const dialect = dialectOf(row.location.source.dialect);
  const plain: RenderContext = { dialect, aliases, arguments: [] };
  return isHidden ? { ...plain, isHidden } : plain;
}
