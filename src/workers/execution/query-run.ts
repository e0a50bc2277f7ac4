/** What the steps of one run of a query share. */
import type { ByteWriter, OutputBytes, ParameterValues, Sentence } from '../../engine/index.js';
import type { ByteSession, Session } from '../sources/source.js';
import type { RowBudget } from './row-budget.js';

/** What the fetching of included rows needs. */
export interface InclusionRun<AnySession extends Session = ByteSession> {
  readonly root: Sentence;
  readonly values: ParameterValues;
  readonly budget: RowBudget;
  /** The session on which a sentence runs. */
  sessionOf(sentence: Sentence): AnySession;
}

/** Where rows are written to. */
export interface RowsAnswer {
  readonly out: OutputBytes;
  /** Whether the writer should wait for {@link drained}. */
  readonly isFull: boolean;
  /** Something was written to {@link out}. What it throws ends the query. */
  written(): void;
  /** Resolves when there is room again. */
  drained(): Promise<void>;
}

export interface QueryRun extends InclusionRun {
  readonly writer: ByteWriter;
  readonly answer: RowsAnswer;
  /** Rows of the root that are stitched at a time. */
  readonly windowRows: number;
}
