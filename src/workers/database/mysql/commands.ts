/** The steps of runs as commands, and how their answers are handled. */
import type { Command } from './answers.js';
import { isInterruption, NO_CURSOR, type ServerFault } from './errors.js';
import type { RowWriter } from './rows.js';
import type { SentRun } from './sent-run.js';
import type { Prepared } from './statements.js';

/** After this many unwanted rows, the statement is interrupted, unless something else is hit. */
const SURPLUS_ROWS = 1000;

export interface SentStep {
  /** `command`: sent as text. `open`: executes with a cursor, from which `fetch` reads. */
  readonly kind: 'command' | 'execute' | 'open' | 'fetch';
  readonly sent: SentRun;
  /** Its index among the steps of the run. */
  readonly index: number;
  /** Undefined for a command. */
  readonly statement: Prepared | undefined;
}

/** Receives the results of commands. */
export interface CommandOwner {
  /** Where rows are written. */
  readonly rows: RowWriter;
  /** The server has prepared the statement, or refused it with this error. */
  prepared(statement: Prepared, fault?: ServerFault): void;
  done(step: SentStep, hasMore: boolean): void;
  failed(step: SentStep): void;
  /** Many unwanted rows of the step are arriving. */
  hasSurplus(step: SentStep): void;
}

/** A step of a run, or a part of it. */
export class StepCommand implements Command {
  readonly answer: 'result' | 'rows';
  answerNumber = 0;
  readonly #sent: SentStep;
  readonly #owner: CommandOwner;
  readonly #rowsMax: number;
  #count = 0;
  #surplus = 0;

  constructor(sent: SentStep, owner: CommandOwner) {
    this.#sent = sent;
    this.#owner = owner;
    const step = sent.sent.run.steps[sent.index];
    this.answer = sent.kind === 'fetch' ? 'rows' : 'result';
    // If the server opens no cursor, all rows arrive at once.
    this.#rowsMax = sent.kind === 'execute' ? (step?.rowsMax ?? 0) : 0;
  }

  get statement(): Prepared | undefined {
    return this.#sent.statement;
  }

  row(packet: Buffer, start: number, end: number): void {
    const { sent, statement } = this.#sent;
    if (this.#isFull || !sent.takesRows) {
      this.#surplus += 1;
      if (this.#surplus === SURPLUS_ROWS) this.#owner.hasSurplus(this.#sent);
      return;
    }
    this.#count += 1;
    const { rows } = this.#owner;
    const at = statement
      ? rows.write(packet, start, end, statement.columns)
      : rows.writeTexts(packet, start, end);
    sent.pass(this.#sent.index, rows.bytes, at);
  }

  inserted(key: number): void {
    this.#sent.sent.inserted(this.#sent.index, key);
  }

  done(count: number, hasMore: boolean, warnings: number): void {
    const { kind, sent, index, statement } = this.#sent;
    if (warnings > 0) sent.warn(index);
    if (kind === 'open' && statement) statement.hasCursor = hasMore;
    const rows = count + this.#count;
    if (kind !== 'open') sent.complete(index, rows, hasMore || this.#surplus > 0, warnings);
    this.#owner.done(this.#sent, hasMore);
  }

  failed(fault: ServerFault): void {
    const { kind, sent, index, statement } = this.#sent;
    // If all rows came at once, the statement has no cursor and nothing is left to fetch.
    const isOver = fault.errno === NO_CURSOR && statement?.hasCursor === false;
    if (kind === 'fetch' && isOver) return this.done(0, false, 0);
    // The rows beyond the limit were interrupted.
    if (this.#isFull && isInterruption(fault)) return this.done(0, true, 0);
    sent.fault(index, fault);
    this.#owner.failed(this.#sent);
  }

  get #isFull(): boolean {
    return this.#rowsMax > 0 && this.#count === this.#rowsMax;
  }
}
