/** What an UPDATE or DELETE of chosen rows is rendered from, and what comes of it. */
import type { Argument, Parameter } from '../../compiled-query.js';
import type { AssignedField, ChosenWrite } from '../../compiled-write.js';
import type { BoundChosenWrite } from '../../query/write/bound-write.js';
import type { Aliases } from '../aliases.js';
import { dialectOf } from '../dialects.js';
import type { IsHidden, SentenceContext } from '../render-expression.js';

export interface ChosenOptions {
  readonly aliases: Aliases;
  /** The properties that the statement returns of each row. */
  readonly returned: readonly string[];
  readonly isHidden?: IsHidden | undefined;
}

export interface RenderedChosen {
  readonly text: string;
  readonly arguments: readonly Argument[];
  readonly parameters: readonly Parameter[];
  readonly assigned: readonly AssignedField[];
  /** What is told of it, where that is not its text. */
  readonly shown?: string;
  readonly before?: ChosenWrite['before'];
  readonly byKey?: ChosenWrite['byKey'];
  readonly after?: ChosenWrite['after'];
  readonly merged?: ChosenWrite['merged'];
}

/** The context of one of its statements. */
export function contextOf(
  { row }: BoundChosenWrite,
  { aliases, isHidden }: ChosenOptions,
): SentenceContext {
  const dialect = dialectOf(row.location.source.dialect);
  const plain: SentenceContext = { dialect, aliases, arguments: [] };
  return isHidden ? { ...plain, isHidden } : plain;
}
