/**
 * Runs the queries of a list: side by side, as many at a time as there is memory for their answers. A
 * read whose answer is too large to wait for its turn is stopped, and runs again when it is its turn.
 * So no answer that waits for others holds a connection. A query that waited for a connection in vain is
 * sent again at its turn, too.
 */
import type { Call } from '../call.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import type { AnswerSink, Failure, RowCount } from '../dispatcher/sinks.js';
import { Refusal } from '../errors.js';
import type { PlanEntry } from '../plan-cache.js';
import type { Admission, AdmitQuery } from '../rate-limit.js';
import { ListAnswer, Listed, type Piece } from './list-answer.js';
import type { ListLayout } from './list-layout.js';
import { dispatcherFor, type QueryToSend, sendQuery } from './send-query.js';

/**
 * The most queries of a list that run at the same time: as many as a worker admits of one plan, however
 * long they take, so that a list by itself is never refused for its length.
 */
const AT_ONCE_MAX = 64;
/** What was put off does not run while its client has this many bytes to read. */
const UNSENT_BYTES_MAX = 64 * 1024;

/** A query of a list, or why it cannot be executed. */
export type ListedReady = QueryToSend | { readonly failure: Failure };

export interface ListOrder {
  readonly layout: ListLayout;
  readonly queries: readonly ListedReady[];
  /** Throws a `Refusal` if the sender must not run the plan. */
  readonly permit: (entry: PlanEntry) => void;
  /** Whether a query with this plan may be stopped and run again. */
  readonly mayRepeat: (entry: PlanEntry) => boolean;
}

/** Runs the queries, and answers the call. */
export function runList(call: Call, order: ListOrder): void {
  const run = new ListRun(call, order);
  call.onAbort(() => run.cancel());
  run.proceed();
}

class ListRun {
  readonly #call: Call;
  readonly #order: ListOrder;
  readonly #answer: ListAnswer;
  readonly #members: readonly Member[];
  readonly #admit: AdmitQuery | undefined;
  /** Those that were put off, in the order of the list. */
  #putOff: readonly Member[] = [];
  #started = 0;
  #running = 0;
  #isStarting = false;
  #isOver = false;

  constructor(call: Call, order: ListOrder) {
    const { layout, queries } = order;
    this.#call = call;
    this.#order = order;
    this.#members = queries.map((query, index) => new Member(this, query, index));
    this.#admit = queries.length > 1 ? call.admitQueries() : undefined;
    this.#answer = new ListAnswer(call, layout, this.#members, () => this.proceed());
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  /** Writes what is ready, and starts as many queries as may run. */
  proceed(): void {
    // A query that is refused at once calls this again.
    if (this.#isStarting || this.#isOver) return;
    if (this.#started < this.#members.length || this.#putOff.length > 0) {
      this.#answer.advance();
      this.#isStarting = true;
      const now = performance.now();
      this.#call.service.dispatcher.together(() => {
        for (let next = this.#takeNext(); next; next = this.#takeNext()) this.#start(next, now);
      });
      this.#isStarting = false;
    }
    this.#answer.advance();
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#answer.abandon();
    for (const member of this.#members) {
      member.release?.();
      member.stop();
      this.#countRows(member);
    }
  }

  whole(member: Member, bytes: Uint8Array, start: number, end: number): void {
    this.#answer.addWhole(member, bytes, start, end);
    this.#ended(member);
  }

  part(member: Member, bytes: Uint8Array<ArrayBuffer>, last: boolean): void {
    const piece = this.#pieceOf(member, bytes);
    if (piece === undefined) return this.#putMemberOff(member);
    this.#answer.addPart(member, piece, last);
    if (last) this.#ended(member);
    else this.#answer.advance();
  }

  failed(member: Member, failure: Failure): void {
    // Others of the list may have had the connections all the time.
    const hasWaited = failure.problem.code === 'queue-timeout' && !member.isPutOff;
    if (hasWaited && this.#members.length > 1) return this.#putMemberOff(member);
    if (this.#answer.fail(member, failure)) this.#ended(member);
    else this.cancel();
  }

  #ended(member: Member): void {
    this.#leave(member);
    this.#countRows(member);
    member.release?.();
    member.release = undefined;
    this.proceed();
  }

  #countRows({ counts }: Member): void {
    const { principal } = this.#call;
    if (principal) principal.counts.rows += counts.rows;
    counts.rows = 0;
  }

  #leave(member: Member): void {
    if (!member.isRunning) return;
    member.isRunning = false;
    this.#running -= 1;
  }

  /** A part of an answer; undefined if it cannot be kept until its turn. */
  #pieceOf(member: Member, bytes: Uint8Array<ArrayBuffer>): Piece | undefined {
    const { streams } = this.#call.service;
    const { byteLength } = bytes;
    const isNext = this.#answer.isNext(member);
    const isKept = isNext ? streams.takes(this.#answer) : streams.mayBuffer(this.#answer);
    if (isKept) member.credit(byteLength);
    else if (!isNext && this.#mayRepeat(member)) return undefined;
    return { bytes, taken: () => member.credit(isKept ? 0 : byteLength, bytes.buffer) };
  }

  #mayRepeat({ query }: Member): boolean {
    return 'entry' in query && this.#order.mayRepeat(query.entry);
  }

  #putMemberOff(member: Member): void {
    member.stop();
    // They will be sent again.
    member.counts.rows = 0;
    this.#leave(member);
    this.#answer.putOff(member);
    member.isPutOff = true;
    this.#putOff = [...this.#putOff, member].toSorted((a, b) => a.index - b.index);
    this.proceed();
  }

  /** The next query that may start. */
  #takeNext(): Member | undefined {
    if (this.#running >= AT_ONCE_MAX || this.#isOver) return undefined;
    const [again] = this.#putOff;
    if (again && this.#isTurnOf(again)) {
      this.#putOff = this.#putOff.slice(1);
      return again;
    }
    const next = this.#members[this.#started];
    if (next === undefined || !this.#call.service.streams.mayBuffer(this.#answer)) return undefined;
    this.#started += 1;
    return next;
  }

  /** Whether the answer of a query that was put off is the next one to be sent. */
  #isTurnOf(again: Member): boolean {
    if (this.#answer.unsentBytes >= UNSENT_BYTES_MAX || !this.#answer.isNext(again)) return false;
    if (this.#order.layout.isOrdered) return true;
    return this.#running === 0 && this.#started === this.#members.length;
  }

  #start(member: Member, now: number): void {
    const { query, index, isPutOff } = member;
    if ('failure' in query) return this.failed(member, query.failure);
    const isCounted = index === 0 || isPutOff;
    const { problem, release } = (isCounted ? undefined : this.#admit?.()) ?? ADMITTED;
    if (problem) return this.failed(member, { problem });
    member.release ??= release;
    member.isRunning = true;
    this.#running += 1;
    try {
      this.#order.permit(query.entry);
      member.send(this.#call, query, now);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.failed(member, { problem: error.problem });
    }
  }
}

const ADMITTED: Admission = {};

/** A query of the list, which receives its answer. */
class Member extends Listed implements AnswerSink {
  readonly #run: ListRun;
  readonly query: ListedReady;
  isRunning = false;
  isPutOff = false;
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
