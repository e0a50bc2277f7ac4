/** A run that was sent to PostgreSQL: which of its steps is being answered, and the result. */
import { fieldLength } from '../../../engine/index.js';
import { BaseSentRun, type Sending } from '../base-sent-run.js';
import { ProtocolError } from '../protocol-error.js';
import { SourceError } from '../source-error.js';
import type { RowSink, Run } from '../statement.js';
import { BUFFERED_BYTES_MAX } from './deframer.js';

export class SentRun extends BaseSentRun {
  /** The texts to be prepared in the run. */
  readonly #parsed: readonly string[];
  /** Whether the next Sync ends this run, alone or as the last one of its group. */
  endsGroup = true;
  /** How many of its texts were prepared. */
  prepared = 0;
  #step = 0;
  /** The number of fields of the step's rows; -1 before the first one. */
  #fields = -1;
  /** How many rows of the step have arrived. */
  #rows = 0;
  /** The bytes of rows that nobody wants. */
  surplusBytes = 0;
  /** Whether the server has answered with an error. */
  isRefused = false;

  constructor(run: Run, parsed: readonly string[], sending: Sending) {
    super(run, sending);
    this.#parsed = parsed;
  }

  /** Whether the server has answered all of it without an error. */
  get isComplete(): boolean {
    return this.#step >= this.run.steps.length;
  }

  override get mayRepeat(): boolean {
    return super.mayRepeat && this.run.isBoundToTypes !== true;
  }

  /** The texts that were not prepared because of a failure. */
  get unprepared(): readonly string[] {
    return this.prepared < this.#parsed.length ? this.#parsed.slice(this.prepared) : [];
  }

  get mayHaveCommitted(): boolean {
    if (!this.isOut || this.run.isCommit !== true) return false;
    return this.failure === undefined || this.isComplete;
  }

  /** Whether it can be sent elsewhere from the beginning; rows that have arrived are forgotten. */
  canRestart(): boolean {
    return this.isAbandoned || !this.hasBegun || this.run.restart?.() === true;
  }

  /**
   * A row; the number of its fields is at `start`. Throws {@link ProtocolError} if it is none: after a wrong
   * length, other bytes could look like one, and a row that is too long takes the messages after it. In a
   * long answer with none behind it (`isLast`), the number of rows reveals that, so that each field is
   * not read twice.
   */
  row(bytes: Buffer, start: number, end: number, isLast: boolean): void {
    const fields = ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);
    if (this.#fields < 0) this.#fields = fields;
    const isChecked = !isLast || this.#rows < CHECKED_ROWS;
    const isWhole = isChecked ? isWholeRow(bytes, start, end) : end - start >= 2 + 4 * fields;
    if (fields !== this.#fields || !isWhole) {
      throw new ProtocolError('A row is broken.');
    }
    this.#rows += 1;
    if (this.takesRows) this.pass(this.#step, bytes, start);
    else this.surplusBytes += end - start;
  }

  /**
   * A row that is too long to be buffered. Throws {@link ProtocolError} if the run commits, because a failure would say
   * that nothing was stored.
   */
  discardedRow(length: number): void {
    if (this.run.isCommit === true) throw new ProtocolError(`A row has the length ${length}.`);
    this.#rows += 1;
    this.surplusBytes += length;
    const detail = `A row has more than ${BUFFERED_BYTES_MAX} bytes.`;
    this.failure ??= this.#placed(new SourceError('answer-too-large', { detail }));
  }

  /** CommandComplete. Its tag ends with the number of rows. Throws {@link ProtocolError} if they are others. */
  complete(bytes: Buffer, start: number, end: number): void {
    const count = countOf(bytes, start, end);
    // Writes without RETURNING count rows that they do not return, and tags such as EXPLAIN have no number.
    const isCounted = (): boolean =>
      count > 0 || bytes.toString('latin1', start, start + 7) === 'SELECT ';
    if (this.#rows > 0 && count !== this.#rows && isCounted()) this.#missesRows(count);
    const sink = this.#endStep();
    if (sink?.complete && this.takesRows) sink.complete(count, false);
  }

  /** The step has ended without a tag: if it has more, after the most rows that it may return. */
  suspended(hasMore = true): void {
    const { rowsMax = 0 } = this.run.steps[this.#step] ?? {};
    if (hasMore && this.#rows !== rowsMax) this.#missesRows(rowsMax);
    const sink = this.#endStep();
    if (sink?.complete && this.takesRows) sink.complete(0, hasMore);
  }

  fail(error: unknown, isStronger = false): void {
    this.isRefused = true;
    if (isStronger) this.failure = error;
    this.failure ??= this.#placed(error);
  }

  /** Returns the receiver of its rows. */
  #endStep(): RowSink | undefined {
    const sink = this.run.steps[this.#step]?.sink;
    this.#step += 1;
    this.#fields = -1;
    this.#rows = 0;
    return sink;
  }

  #missesRows(count: number): never {
    throw new ProtocolError(`${this.#rows} of ${count} rows have arrived.`);
  }

  #placed(error: unknown): unknown {
    if (!(error instanceof SourceError) || this.run.steps.length === 1) return error;
    return error.with({ at: { ...error.at, statement: this.#step } });
  }
}

/** Of a longer answer, the first rows are checked like those of a short one. */
const CHECKED_ROWS = 100;

/** Whether the fields of a row fill it exactly. */
function isWholeRow(bytes: Buffer, start: number, end: number): boolean {
  const fields = ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);
  let at = start + 2;
  for (let i = 0; i < fields && at < end; i += 1) at += 4 + Math.max(0, fieldLength(bytes, at));
  return at === end;
}

const ZERO = 0x30;

/** The digits before the zero byte at the end of a tag; 0 if there are none. */
function countOf(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  let power = 1;
  for (let at = end - 2; at >= start; at -= 1, power *= 10) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    count += digit * power;
  }
  return count;
}
