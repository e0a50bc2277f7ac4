/** Evaluates the checks that statements return for written rows. */
import { type DialectName, dialectOf, EngineError, type WriteCheck } from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';

export interface WrittenRow {
  readonly entity: string;
  readonly dialect: DialectName;
  /** The results of the checks, in their order. */
  readonly answers: readonly (string | null)[];
  /** Its place in the data; undefined if a filter selected it. */
  readonly place: string | undefined;
  /** Whether the write sets a foreign key. */
  readonly isWritten: (property: string) => boolean;
}

const met: ReadonlySet<string | null | undefined> = new Set(['t', '1', 'true']);

/** Throws for the first check that fails, as if hidden rows did not exist. */
export function requireChecks(checks: readonly WriteCheck[], row: WrittenRow): void {
  const { entity, dialect, answers, place, isWritten } = row;
  for (const [index, { reference, hidden }] of checks.entries()) {
    if (met.has(answers[index])) continue;
    if (!reference) throw outside(entity, place);
    // A part of a key may complete the reference to a hidden row.
    if (!reference.some(isWritten)) continue;
    throw hidden ? untold(dialect) : missingReference({ entity, dialect }, reference, place);
  }
}

/** The same error as for a foreign key that refers to no row. */
function missingReference(
  { entity, dialect }: Pick<WrittenRow, 'entity' | 'dialect'>,
  reference: readonly string[],
  place: string | undefined,
) {
  const detail = `A row of entity ${entity} refers to one that does not exist in ${reference.join(', ')}.`;
  const own = place === undefined ? {} : { place: [place, ...only(reference)].join('.') };
  return new SourceError('foreign-key-violation', {
    sqlstate: dialectOf(dialect).writes.violationStates.foreignKey,
    detail,
    ...own,
  });
}

/** The same error as for a foreign key that contains a hidden property. */
function untold(dialect: DialectName): SourceError {
  const sqlstate = dialectOf(dialect).writes.violationStates.foreignKey;
  return new SourceError('foreign-key-violation', { sqlstate });
}

/** The only property of a key; a key of several belongs to the whole row. */
function only(reference: readonly string[]): readonly string[] {
  return reference.length === 1 ? reference : [];
}

function outside(entity: string, place: string | undefined): EngineError {
  const message = `A row of entity ${entity} would be outside the view: nothing is written.`;
  return new EngineError('row-outside-view', message, place === undefined ? {} : { place });
}
