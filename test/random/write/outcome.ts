/** The possible outcomes of a write. */
import type { Expected } from '../evaluate/expected.js';
import type { Tables } from '../evaluate/tables.js';
import type { Domain } from '../world/domain.js';

/** The reasons to refuse a write, each with its possible codes. */
export const codesOfFault = {
  /** Faults of the data themselves, which are found before any SQL runs. */
  type: ['parameter-type'],
  missing: ['constraint-unmet'],
  enum: ['constraint-unmet'],
  constraint: ['constraint-unmet'],
  null: ['constraint-unmet', 'not-null-violation'],
  length: ['constraint-unmet', 'value-too-long'],
  unique: ['unique-violation'],
  foreign: ['foreign-key-violation'],
  range: ['value-out-of-range'],
  /** Rowgate would have to compute a value that only the database knows. */
  unknown: ['unsupported'],
  /** A value is computed from another one that the write does not set. */
  unset: ['parameter-missing'],
  /** The view does not show the primary key by which rows are found. */
  keyless: ['wrong-arguments'],
  /** The view would not show the written row. */
  outside: ['row-outside-view'],
} as const satisfies Record<string, readonly string[]>;

export type WriteFault = keyof typeof codesOfFault;

/** A fault, after which nothing is stored; otherwise the answer and the rows afterwards. */
export interface WriteOutcome {
  readonly faults: ReadonlySet<WriteFault>;
  readonly tables: Tables;
  readonly answer: Expected;
}

/** The codes with which the write may be refused. A number that is too large for a `bit` is a text that is too long. */
export function codesOf({ faults }: Pick<WriteOutcome, 'faults'>, domain: Domain): string[] {
  const codes = [...faults].flatMap((fault): readonly string[] => codesOfFault[fault]);
  return faults.has('range') && hasBits(domain) ? [...codes, 'value-too-long'] : codes;
}

function hasBits({ entities }: Domain): boolean {
  return entities.some(({ properties }) =>
    properties.some(({ columnType }) => columnType?.startsWith('bit')),
  );
}
