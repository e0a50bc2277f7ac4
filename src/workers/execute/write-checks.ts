/** What statements tell of the rows that they have written: whether they may stand as they are. */
import { type DialectName, dialectOf, EngineError, type WriteCheck } from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';

/** A row that was written. */
export interface WrittenRow {
  readonly entity: string;
  readonly dialect: DialectName;
  /** The answers to the checks, in their order. */
  readonly answers: readonly (string | null)[];
  /** Where it stands in the data; undefined where the database chose it. */
  readonly place: string | undefined;
  /** Whether a foreign key was written. */
  readonly isWritten: (property: string) => boolean;
}

const met: ReadonlySet<string | null | undefined> = new Set(['t', '1', 'true']);

/** Throws for the first check that does not hold, as if what is hidden were not there. */
export function requireChecks(checks: readonly WriteCheck[], row: WrittenRow): void {
  const { entity, dialect, answers, place, isWritten } = row;
  for (const [index, { property }] of checks.entries()) {
    if (met.has(answers[index])) continue;
    if (property === undefined) throw outside(entity, place);
    if (isWritten(property)) throw missingReference({ entity, dialect }, property, place);
  }
}

/** Told in the words of a foreign key that leads nowhere. */
function missingReference(
  { entity, dialect }: Pick<WrittenRow, 'entity' | 'dialect'>,
  property: string,
  place: string | undefined,
) {
  const detail = `A row of entity ${entity} refers to one that does not exist in ${property}.`;
  const own = place === undefined ? {} : { place: `${place}.${property}` };
  return new SourceError('foreign-key-violation', {
    sqlstate: dialectOf(dialect).writes.violationStates.foreignKey,
    detail,
    ...own,
  });
}

function outside(entity: string, place: string | undefined): EngineError {
  const message = `A row of entity ${entity} would not be one of those that are shown: nothing is written.`;
  return new EngineError('row-outside-view', message, place === undefined ? {} : { place });
}
