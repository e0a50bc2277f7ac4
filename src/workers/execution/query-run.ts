/** What the steps of one run of a query share. */
import type { ParameterValues, Sentence, SentenceWriter } from '../../engine/index.js';
import type { Session } from '../sources/source.js';
import type { Answer } from './answer.js';
import type { RowBudget } from './row-budget.js';

/** What the fetching of included rows needs. */
export interface InclusionRun {
  readonly root: Sentence;
  readonly values: ParameterValues;
  readonly budget: RowBudget;
  /** The session on which a sentence runs. */
  sessionOf(sentence: Sentence): Session;
}

export interface QueryRun extends InclusionRun {
  readonly writer: SentenceWriter;
  readonly answer: Answer;
  /** Rows of the root that are stitched at a time. */
  readonly windowRows: number;
}
