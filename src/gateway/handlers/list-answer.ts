/**
 * Writes the answers of a list of queries as one answer. One query at a time has its rows sent as they
 * arrive; what others answer before their turn is buffered, within the memory for streamed answers.
 */
import { OutputBytes } from '../../engine/index.js';
import type { Call } from '../call.js';
import type { Failure } from '../dispatcher/sinks.js';
import type { AnswerStream } from '../http/exchange.js';
import { indentedRows, type ListedProblem, type ListLayout } from './list-layout.js';

/** An answer up to this size is sent as a whole. */
const WHOLE_BYTES = 64 * 1024;

/** The answer of one query. */
export class Listed {
  readonly index: number;
  /** What waits for its turn. */
  pieces: Piece[] = [];
  /** Whether its answer has begun. */
  hasBegun = false;
  /** Whether its first bytes were written. */
  isWritten = false;
  isDone = false;
  problem: ListedProblem | undefined;
  /** The cursor of the next page. */
  next: string | undefined;

  constructor(index: number) {
    this.index = index;
  }
}

/** Rows of an answer; `taken` is called when the client's side has them. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly taken: (() => void) | undefined;
}

export class ListAnswer {
  readonly #call: Call;
  readonly #layout: ListLayout;
  /** Called when the client has taken something. */
  readonly #onTaken: () => void;
  /** In the order in which their answers are written. */
  readonly #order: Listed[];
  #at = 0;
  #left: number;
  #heldBytes = 0;
  readonly #out = new OutputBytes(8 * 1024);
  #stream: AnswerStream | undefined;
  #isScheduled = false;
  #hasBegun = false;
  #isOver = false;

  constructor(
    call: Call,
    layout: ListLayout,
    listed: readonly Listed[],
    onTaken: () => void,
  ) {
    this.#call = call;
    this.#layout = layout;
    this.#onTaken = onTaken;
    this.#order = layout.isOrdered ? [...listed] : [];
    this.#left = listed.length;
    this.#text(layout.open);
    if (this.#left === 0) this.#finish();
  }

  /** Everything that the client has not taken. */
  get waitingBytes(): number {
    return this.#heldBytes + this.unsentBytes;
  }

  /** What waits for nothing but the client. */
  get unsentBytes(): number {
    return this.#out.length + (this.#stream?.waitingBytes ?? 0);
  }

  /** Whether an answer would be sent as it arrives. */
  isNext(listed: Listed): boolean {
    const next = this.#order[this.#at];
    return next === listed || (next === undefined && !this.#layout.isOrdered);
  }

  /** Adds rows to the answer of a query. */
  add(listed: Listed, piece: Piece): void {
    this.#begin(listed);
    if (!this.isNext(listed)) this.#heldBytes += piece.bytes.byteLength;
    listed.pieces.push(piece);
  }

  /** Must be called after changes: writes what is next. */
  advance(): void {
    for (;;) {
      const listed = this.#order[this.#at];
      if (!listed?.hasBegun || this.#isOver) break;
      this.#write(listed);
      if (!listed.isDone) break;
      this.#at += 1;
      this.#left -= 1;
      const next = this.#order[this.#at];
      if (next) for (const { bytes } of next.pieces) this.#heldBytes -= bytes.byteLength;
    }
    if (this.#left === 0) this.#finish();
    else if (this.#isToFlush) this.#schedule();
  }

  end(listed: Listed, next?: string): void {
    listed.isDone = true;
    listed.next = next;
  }

  /**
   * Answers a query with its problem. If its rows have begun to be sent, cuts the answer and returns
   * false.
   */
  fail(listed: Listed, failure: Failure): boolean {
    if (listed.isWritten) {
      this.#breakOff(failure);
      return false;
    }
    this.#drop(listed);
    listed.problem = this.#call.describeFailure(failure);
    listed.isDone = true;
    this.#begin(listed);
    return true;
  }

  /** Forgets what a query has answered before its turn, as if it had not begun. */
  putOff(listed: Listed): void {
    this.#drop(listed);
    if (!listed.hasBegun) return;
    listed.hasBegun = false;
    if (!this.#layout.isOrdered) this.#order.splice(this.#order.indexOf(listed), 1);
  }

  #drop(listed: Listed): void {
    if (!this.isNext(listed)) {
      for (const { bytes } of listed.pieces) this.#heldBytes -= bytes.byteLength;
    }
    listed.pieces = [];
  }

  /** The client has disconnected. */
  abandon(): void {
    this.#isOver = true;
    this.#heldBytes = 0;
    this.#out.length = 0;
  }

  #begin(listed: Listed): void {
    if (listed.hasBegun) return;
    listed.hasBegun = true;
    if (!this.#layout.isOrdered) this.#order.push(listed);
  }

  #write(listed: Listed): void {
    const { index, problem, pieces } = listed;
    const layout = this.#layout;
    if (problem) {
      this.#text(layout.problem(index, !this.#hasBegun, problem));
      this.#hasBegun = true;
      return;
    }
    if (!listed.isWritten) this.#text(layout.beforeRows(index, !this.#hasBegun));
    listed.isWritten = true;
    this.#hasBegun = true;
    for (const piece of pieces) this.#rows(piece);
    listed.pieces = [];
    if (listed.isDone) this.#text(layout.afterRows(listed.next));
  }

  #rows({ bytes, taken }: Piece): void {
    const rows = this.#layout.form === 'pretty' ? indentedRows(bytes) : bytes;
    if (taken === undefined && rows.byteLength <= WHOLE_BYTES) {
      this.#out.copy(rows, 0, rows.byteLength);
      return;
    }
    // After what was written before.
    this.#flush();
    this.#open().write(rows, () => {
      taken?.();
      this.#onTaken();
    });
  }

  #text(text: string): void {
    const out = this.#out;
    const bytesMax = text.length * 3;
    out.reserve(bytesMax);
    out.length += encoder.encodeInto(text, out.bytes.subarray(out.length)).written;
  }

  get #isToFlush(): boolean {
    const isStreamed = this.#stream !== undefined || !this.#layout.isOrdered;
    return !this.#isOver && this.#out.length > (isStreamed ? 0 : WHOLE_BYTES);
  }

  /** What is written in this turn is sent together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#isOver) this.#flush();
    });
  }

  #flush(): void {
    if (this.#out.length === 0) return;
    this.#open().write(this.#out.take(), this.#onTaken);
  }

  #open(): AnswerStream {
    return (this.#stream ??= this.#call.stream(this.#layout.format.headers));
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#text(this.#layout.close);
    if (this.#stream === undefined) {
      const { bytes, length } = this.#out;
      this.#call.sendRows(this.#layout.format, bytes.subarray(0, length));
      return;
    }
    this.#flush();
    this.#stream.end();
    this.#call.streamed();
  }

  #breakOff(failure: Failure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#call.breakOff(this.#open(), failure);
  }
}

const encoder = new TextEncoder();
