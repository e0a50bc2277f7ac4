/** What a write may lead to. */
import type { Expected } from '../evaluate/expected.js';
import type { Tables } from '../evaluate/tables.js';

/** Why a write is refused; each kind has the codes that it may be answered with. */
export const codesOfFault = {
  /** In the data themselves: it is refused before any SQL runs. */
  missing: ['constraint-unmet'],
  null: ['constraint-unmet', 'not-null-violation'],
  length: ['constraint-unmet', 'value-too-long'],
  unique: ['unique-violation'],
  foreign: ['foreign-key-violation'],
  range: ['value-out-of-range'],
} as const satisfies Record<string, readonly string[]>;

export type WriteFault = keyof typeof codesOfFault;

/** With a fault nothing is stored; else the answer, and the rows that are there afterwards. */
export interface WriteOutcome {
  readonly faults: ReadonlySet<WriteFault>;
  readonly tables: Tables;
  readonly answer: Expected;
}
