/** What the steps of one run of a query share. */
import type { ParameterValues, Sentence, SentenceWriter } from '../../engine/index.js';
import type { Session } from '../sources/source.js';
import type { Answer } from './answer.js';
import type { RowBudget } from './row-budget.js';

export interface QueryRun {
  readonly root: Sentence;
  readonly writer: SentenceWriter;
  readonly values: ParameterValues;
  readonly answer: Answer;
  readonly budget: RowBudget;
  /** Rows of the root that are stitched at a time. */
  readonly windowRows: number;
  /** The session on which a sentence runs. */
  sessionOf(sentence: Sentence): Session;
}
