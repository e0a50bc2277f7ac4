/** What the steps of one run of a query share. */
import type { ByteWriter, ParameterValues, Sentence } from '../../engine/index.js';
import type { ByteSession, Session } from '../sources/source.js';
import type { Answer } from './answer.js';
import type { RowBudget } from './row-budget.js';

/** What the fetching of included rows needs. */
export interface InclusionRun<AnySession extends Session = ByteSession> {
  readonly root: Sentence;
  readonly values: ParameterValues;
  readonly budget: RowBudget;
  /** The session on which a sentence runs. */
  sessionOf(sentence: Sentence): AnySession;
}

export interface QueryRun extends InclusionRun {
  readonly writer: ByteWriter;
  readonly answer: Answer;
  /** Rows of the root that are stitched at a time. */
  readonly windowRows: number;
}
