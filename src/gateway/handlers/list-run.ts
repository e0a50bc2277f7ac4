/**
 * Runs the queries of a list: as many at the same time as there is memory for their answers. If a read's
 * answer is too large to be buffered until it can be sent, the read is stopped and runs again then, so
 * that no waiting answer holds a connection. A query that got no connection in time is also sent again
 * when its answer is next.
 */
import { requirePlan } from '../access/principal.js';
import type { Call } from '../call.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import type { AnswerSink, Failure, RowCount } from '../dispatcher/sinks.js';
import { Refusal } from '../errors.js';
import type { AdmitQuery } from '../rate-limit.js';
import { ListAnswer, Listed, type Piece } from './list-answer.js';
import type { ListLayout } from './list-layout.js';
import { dispatcherFor, type QueryToSend, sendQuery } from './send-query.js';

/**
 * The maximum number of queries of a list that run at the same time. A worker admits this many
 * requests of one plan however long they take, so a list alone is never refused because of its
 * length.
 */
const AT_ONCE_MAX = 64;
/** A postponed query does not run while this many bytes of the answer are unread. */
const UNSENT_BYTES_MAX = 64 * 1024;

/** A query of a list, or why it cannot be executed. */
export type ListedReady = QueryToSend | { readonly failure: Failure };

/** Runs the queries, and answers the call. */
export function runList(call: Call, layout: ListLayout, queries: readonly ListedReady[]): void {
  const run = new ListRun(call, layout, queries);
  call.onAbort(() => run.cancel());
  run.proceed();
}

class ListRun {
  readonly #call: Call;
  readonly #isOrdered: boolean;
  readonly #answer: ListAnswer;
  readonly #listed: readonly ListedExecution[];
  readonly #admit: AdmitQuery | undefined;
  /** The postponed queries, in the order of the list. */
  #postponed: readonly ListedExecution[] = [];
  #started = 0;
  #running = 0;
  #isStarting = false;
  #isOver = false;

  constructor(call: Call, layout: ListLayout, queries: readonly ListedReady[]) {
    this.#call = call;
    this.#isOrdered = layout.isOrdered;
    this.#listed = queries.map((query, index) => new ListedExecution(this, query, index));
    this.#admit = queries.length > 1 ? call.admitQueries() : undefined;
    this.#answer = new ListAnswer(call, layout, this.#listed, () => this.proceed());
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  /** Writes answers that are due, and starts as many queries as may run. */
  proceed(): void {
    // A query that is refused at once calls this again.
    if (this.#isStarting || this.#isOver) return;
    if (this.#isLeft) {
      this.#answer.advance();
      this.#isStarting = true;
      const now = performance.now();
      this.#call.service.dispatcher.together(() => {
        for (let next = this.#takeNext(); next; next = this.#takeNext()) this.#start(next, now);
      });
      this.#isStarting = false;
    }
    this.#answer.advance();
    // The queries that are left may wait until the client has read more.
    if (this.#isLeft && this.#running === 0) this.#answer.flushSoon();
  }

  /** Whether there are queries that must still be sent. */
  get #isLeft(): boolean {
    return this.#started < this.#listed.length || this.#postponed.length > 0;
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#answer.abandon();
    for (const listed of this.#listed) {
      listed.release?.();
      listed.stop();
      this.#countRows(listed);
    }
  }

  whole(listed: ListedExecution, bytes: Uint8Array, start: number, end: number): void {
    this.#answer.addWhole(listed, bytes, start, end);
    this.#ended(listed);
  }

  part(listed: ListedExecution, bytes: Uint8Array<ArrayBuffer>, last: boolean): void {
    const piece = this.#pieceOf(listed, bytes);
    if (piece === undefined) return this.#postpone(listed);
    this.#answer.addPart(listed, piece, last);
    if (last) this.#ended(listed);
    else this.#answer.advance();
  }

  failed(listed: ListedExecution, failure: Failure): void {
    // Other queries of the list may have had all the connections.
    const hasWaited = failure.problem.code === 'queue-timeout' && !listed.isPostponed;
    const runsAgain = hasWaited && this.#listed.length > 1 && this.#mayRepeat(listed);
    if (runsAgain) return this.#postpone(listed);
    if (this.#answer.fail(listed, failure)) this.#ended(listed);
    else this.cancel();
  }

  #ended(listed: ListedExecution): void {
    this.#leave(listed);
    this.#countRows(listed);
    listed.release?.();
    listed.release = undefined;
    this.proceed();
  }

  #countRows({ counts }: ListedExecution): void {
    const { principal } = this.#call;
    if (principal) principal.counts.rows += counts.rows;
    counts.rows = 0;
  }

  #leave(listed: ListedExecution): void {
    if (!listed.isRunning) return;
    listed.isRunning = false;
    this.#running -= 1;
  }

  /** A part of an answer; undefined if there is no memory to buffer it until it can be sent. */
  #pieceOf(listed: ListedExecution, bytes: Uint8Array<ArrayBuffer>): Piece | undefined {
    const { streams } = this.#call.service;
    const { byteLength } = bytes;
    const isNext = this.#answer.isNext(listed);
    const isKept = isNext ? streams.takes(this.#answer) : streams.mayBuffer(this.#answer);
    if (isKept) listed.credit(byteLength);
    else if (!isNext && this.#mayRepeat(listed) && !isWrite(listed)) return undefined;
    return { bytes, taken: () => listed.credit(isKept ? 0 : byteLength, bytes.buffer) };
  }

  /** Whether a query that has stored nothing may be sent again. */
  #mayRepeat({ query }: ListedExecution): boolean {
    // What listeners have stored stays stored when their request fails; they would store it twice.
    if (this.#call.service.catalog.schema.listeners.length > 0) return false;
    // Large data was transferred to the worker.
    return 'entry' in query && typeof query.data !== 'object';
  }

  #postpone(listed: ListedExecution): void {
    listed.withdraw();
    // They will be sent again.
    listed.counts.rows = 0;
    this.#leave(listed);
    this.#answer.postpone(listed);
    listed.isPostponed = true;
    this.#postponed = [...this.#postponed, listed].toSorted((a, b) => a.index - b.index);
    this.proceed();
  }

  /** The next query that may start. */
  #takeNext(): ListedExecution | undefined {
    if (this.#running >= AT_ONCE_MAX || this.#isOver) return undefined;
    const [again] = this.#postponed;
    if (again && this.#isTurnOf(again)) {
      this.#postponed = this.#postponed.slice(1);
      return again;
    }
    const next = this.#listed[this.#started];
    if (next === undefined || !this.#call.service.streams.mayBuffer(this.#answer)) return undefined;
    this.#started += 1;
    return next;
  }

  /** Whether the answer of a postponed query is the next one to be sent. */
  #isTurnOf(again: ListedExecution): boolean {
    if (this.#answer.unsentBytes >= UNSENT_BYTES_MAX || !this.#answer.isNext(again)) return false;
    if (this.#isOrdered) return true;
    return this.#running === 0 && this.#started === this.#listed.length;
  }

  #start(listed: ListedExecution, now: number): void {
    const { query, index, isPostponed } = listed;
    const { principal } = this.#call;
    const isCounted = index === 0 || isPostponed;
    const verdict = isCounted ? undefined : this.#admit?.();
    if (verdict?.problem) return this.failed(listed, { problem: verdict.problem });
    listed.release ??= verdict?.release;
    if ('failure' in query) return this.failed(listed, query.failure);
    listed.isRunning = true;
    this.#running += 1;
    try {
      if (principal) requirePlan(principal, query.entry.plan);
      listed.send(this.#call, query, now);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.failed(listed, { problem: error.problem });
    }
  }
}

function isWrite({ query }: ListedExecution): boolean {
  return 'entry' in query && query.entry.plan.root.write !== undefined;
}

class ListedExecution extends Listed implements AnswerSink {
  readonly #run: ListRun;
  readonly query: ListedReady;
  isRunning = false;
  isPostponed = false;
  /** Must be called when it is answered. */
  release: (() => void) | undefined;
  startedAt = 0;
  comment: string | undefined;
  readonly counts: RowCount = { rows: 0 };
  #dispatcher: Dispatcher | undefined;
  #id = 0;

  constructor(run: ListRun, query: ListedReady, index: number) {
    super(index);
    this.#run = run;
    this.query = query;
  }

  /** Sends it to a worker. Throws a `Refusal`. */
  send(call: Call, query: QueryToSend, now: number): void {
    this.startedAt = now;
    this.comment = call.sqlComment;
    this.#dispatcher = dispatcherFor(call, query.data);
    this.#id = sendQuery(call, this.#dispatcher, query, this);
  }

  get requestId(): string {
    return this.#run.requestId;
  }

  stop(): void {
    this.#dispatcher?.cancel(this.#id);
  }

  /** Stops it; it will be sent again. */
  withdraw(): void {
    this.#dispatcher?.withdraw(this.#id);
  }

  credit(bytes: number, buffer?: ArrayBuffer): void {
    this.#dispatcher?.credit(this.#id, bytes, buffer);
  }

  slice(bytes: Uint8Array, start: number, end: number): void {
    this.#run.whole(this, bytes, start, end);
  }

  whole(bytes: Uint8Array, next?: string): void {
    this.next = next;
    this.#run.whole(this, bytes, 0, bytes.length);
  }

  part(bytes: Uint8Array<ArrayBuffer>, last: boolean): void {
    this.#run.part(this, bytes, last);
  }

  failed(failure: Failure): void {
    this.#run.failed(this, failure);
  }
}
