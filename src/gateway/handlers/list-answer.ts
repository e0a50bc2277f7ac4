/**
 * Writes the answers of a list of queries as one answer. The rows of one query at a time are sent
 * as they arrive; rows of other queries are buffered until they can be sent, within the memory for
 * streamed answers. A hot path (bench, "listed").
 */
import { OutputBytes } from '../../engine/index.js';
import type { Call } from '../call.js';
import type { Failure } from '../dispatcher/sinks.js';
import type { AnswerStream } from '../http/exchange.js';
import { indentedRows, type ListedProblem, type ListLayout } from './list-layout.js';

/** An answer up to this size is sent as a whole. */
const WHOLE_BYTES = 64 * 1024;
const BUFFER_BYTES = 8 * 1024;
const none = new OutputBytes(0);

/** The answer of one query. */
export class Listed {
  readonly index: number;
  /** The position of its whole answer in the buffer of waiting answers. */
  start = 0;
  end = 0;
  /** Parts that cannot be sent yet. */
  parts: Piece[] | undefined;
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

/** Rows of an answer; `taken` is called when the client's side has accepted them. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly taken: () => void;
}

export class ListAnswer {
  readonly #call: Call;
  readonly #layout: ListLayout;
  /** Called when the client has accepted some bytes. */
  readonly #onTaken: () => void;
  /** In the order in which their answers are written. */
  readonly #order: Listed[];
  #at = 0;
  #left: number;
  /** Whole answers that cannot be sent yet, and how many bytes of them are left. */
  #waiting: OutputBytes | undefined;
  #waitingLeft = 0;
  /** The number of bytes of the parts that cannot be sent yet. */
  #partBytes = 0;
  #out = new OutputBytes(BUFFER_BYTES);
  #stream: AnswerStream | undefined;
  #isScheduled = false;
  #hasBegun = false;
  #isOver = false;

  constructor(call: Call, layout: ListLayout, listed: readonly Listed[], onTaken: () => void) {
    this.#call = call;
    this.#layout = layout;
    this.#onTaken = onTaken;
    this.#order = layout.isOrdered ? [...listed] : [];
    this.#left = listed.length;
    this.#ascii(layout.open);
  }

  /** The number of bytes that the client has not accepted yet. */
  get waitingBytes(): number {
    return (this.#waiting?.length ?? 0) + this.#partBytes + this.unsentBytes;
  }

  /** The number of bytes that only wait for the client. */
  get unsentBytes(): number {
    return this.#out.length + (this.#stream?.waitingBytes ?? 0);
  }

  /** Whether the answer of a query would be sent as it arrives. */
  isNext(listed: Listed): boolean {
    const next = this.#order[this.#at];
    return next === listed || (next === undefined && !this.#layout.isOrdered);
  }

  /** Adds the whole answer of a query, whose bytes are copied. */
  addWhole(listed: Listed, bytes: Uint8Array, start: number, end: number): void {
    this.#begin(listed);
    listed.isDone = true;
    if (this.isNext(listed)) {
      this.#before(listed);
      this.#copyRows(bytes, start, end);
      return;
    }
    const waiting = (this.#waiting ??= new OutputBytes(BUFFER_BYTES));
    listed.start = waiting.length;
    waiting.copy(bytes, start, end);
    listed.end = waiting.length;
    this.#waitingLeft += end - start;
  }

  /** Adds a part of the answer of a query. */
  addPart(listed: Listed, piece: Piece, last: boolean): void {
    this.#begin(listed);
    listed.isDone = last;
    if (!this.isNext(listed)) this.#partBytes += piece.bytes.byteLength;
    listed.parts ??= [];
    listed.parts.push(piece);
  }

  /** If rows of the query have begun to be sent, cuts the answer and returns false. */
  fail(listed: Listed, failure: Failure): boolean {
    if (listed.isWritten) {
      this.#breakOff(failure);
      return false;
    }
    this.#dropParts(listed);
    listed.problem = this.#call.describeFailure(failure);
    listed.isDone = true;
    this.#begin(listed);
    return true;
  }

  /** Discards the buffered answer of a query, as if the query had not begun. */
  postpone(listed: Listed): void {
    this.#dropParts(listed);
    if (!listed.hasBegun) return;
    listed.hasBegun = false;
    if (!this.#layout.isOrdered) this.#order.splice(this.#order.indexOf(listed), 1);
  }

  /** Writes everything that is due. Must be called after each change. */
  advance(): void {
    if (this.#isOver) return;
    for (;;) {
      const listed = this.#order[this.#at];
      if (!listed?.hasBegun) break;
      this.#write(listed);
      if (!listed.isDone) break;
      this.#at += 1;
      this.#left -= 1;
      const { parts } = this.#order[this.#at] ?? {};
      if (parts) for (const { bytes } of parts) this.#partBytes -= bytes.byteLength;
    }
    if (this.#left === 0) this.#finish();
    else if (this.#isToFlush) this.flushSoon();
  }

  /** The client has disconnected. */
  abandon(): void {
    if (!this.#isOver) this.#close();
  }

  /** Nothing is written after this. */
  #close(): void {
    this.#isOver = true;
    this.#partBytes = 0;
    this.#out = none;
    this.#waiting = undefined;
  }

  #begin(listed: Listed): void {
    if (listed.hasBegun) return;
    listed.hasBegun = true;
    if (!this.#layout.isOrdered) this.#order.push(listed);
  }

  #dropParts(listed: Listed): void {
    if (listed.parts && !this.isNext(listed)) {
      for (const { bytes } of listed.parts) this.#partBytes -= bytes.byteLength;
    }
    listed.parts = undefined;
  }

  #write(listed: Listed): void {
    const { index, problem, parts, start, end } = listed;
    if (problem) {
      this.#utf8(this.#layout.problem(index, !this.#hasBegun, problem));
      this.#hasBegun = true;
      return;
    }
    this.#before(listed);
    if (this.#waiting && end > start) {
      this.#copyRows(this.#waiting.bytes, start, end);
      this.#waitingLeft -= end - start;
      if (this.#waitingLeft === 0) this.#waiting.length = 0;
    }
    listed.parts = undefined;
    if (parts) for (const part of parts) this.#streamRows(part);
    if (listed.isDone) this.#ascii(this.#layout.afterRows(listed.next));
  }

  #before(listed: Listed): void {
    if (listed.isWritten) return;
    listed.isWritten = true;
    this.#ascii(this.#layout.beforeRows(listed.index, !this.#hasBegun));
    this.#hasBegun = true;
  }

  #copyRows(bytes: Uint8Array, start: number, end: number): void {
    if (this.#layout.form !== 'pretty') return this.#out.copy(bytes, start, end);
    const rows = indentedRows(bytes.subarray(start, end));
    this.#out.copy(rows, 0, rows.byteLength);
  }

  #streamRows({ bytes, taken }: Piece): void {
    // Writes rows after everything that was written before.
    this.#flush();
    this.#open().write(this.#layout.form === 'pretty' ? indentedRows(bytes) : bytes, () => {
      taken();
      this.#onTaken();
    });
  }

  /** Writes a short text in ASCII. */
  #ascii(text: string): void {
    const out = this.#out;
    const { length } = text;
    out.reserve(length);
    for (let i = 0; i < length; i += 1) out.bytes[out.length++] = text.charCodeAt(i);
  }

  #utf8(text: string): void {
    const bytes = Buffer.from(text);
    this.#out.copy(bytes, 0, bytes.length);
  }

  get #isToFlush(): boolean {
    const isStreamed = this.#stream !== undefined || !this.#layout.isOrdered;
    return this.#out.length > (isStreamed ? 0 : WHOLE_BYTES);
  }

  /** Sends what is written, together with what will be written in this iteration of the event loop. */
  flushSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#isOver) this.#flush();
    });
  }

  #flush(): void {
    if (this.#out.length > 0) this.#open().write(this.#out.take(), this.#onTaken);
  }

  #open(): AnswerStream {
    return (this.#stream ??= this.#call.stream(this.#layout.format.headers));
  }

  #finish(): void {
    this.#isOver = true;
    this.#ascii(this.#layout.close);
    if (this.#stream === undefined) {
      const { bytes, length } = this.#out;
      this.#call.sendRows(this.#layout.format, bytes.subarray(0, length));
    } else {
      this.#flush();
      this.#stream.end();
      this.#call.streamed();
    }
    this.#close();
  }

  #breakOff(failure: Failure): void {
    if (this.#isOver) return;
    const stream = this.#open();
    this.#close();
    this.#call.breakOff(stream, failure);
  }
}
