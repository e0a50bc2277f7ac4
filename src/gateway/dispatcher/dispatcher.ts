/**
 * Sends requests to workers and passes their replies back. It chooses the worker, limits the unanswered
 * requests, and answers for a worker that has crashed. It knows neither HTTP nor the plan cache.
 */
import { NumberedTable, type Problem } from '../../engine/index.js';
import type { WorkerReply, WorkerReport } from '../../workers/protocol.js';
import { askWithin } from './ask-within.js';
import type { Dispatchers } from './dispatchers.js';
import { chooseLink, countShared, NEW_PLAN, NEW_WRITE } from './choose-link.js';
import { PlanStates, refusalOf } from './plan-states.js';
import { DRAINING, OUTCOME_UNKNOWN, QUEUE_FULL, WORKER_LOST } from './problems.js';
import {
  endsRequest,
  isOpenEnded,
  isWrite,
  mayHaveWritten,
  newPending,
  type Pending,
  type Question,
  type RequestReply,
  rowsIn,
  sendAgain,
  settle,
  settleWhole,
  type Transaction,
  transactionMessage,
  type WholeReplies,
} from './pending.js';
import type { PlanEntry } from '../plan-cache.js';
import type { AnswerSink, Sink } from './sinks.js';
import type { Outcome, PlanRecorder } from '../statistics/plan-recorder.js';
import { addReported, type Totals } from '../statistics/totals.js';
import { buffersOf, type Execution, type WorkerLink } from './worker-link.js';
import { type WatchdogOptions, watchWorkers } from './watchdog.js';
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.js';

export interface DispatcherOptions extends WorkerPoolOptions, WatchdogOptions {
  /** The most requests that may be unanswered, over all workers. */
  readonly queueMax: number;
  /** The most bytes of an import's body that may be on their way to a worker. */
  readonly importWindowBytes: number;
  /** Records the executions and transactions that end. */
  readonly recorder: PlanRecorder;
  /** Contains it until it is closed. */
  readonly dispatchers: Dispatchers;
}

/** How long the workers may take to cancel what is still running after the drain time. */
const CANCEL_MS = 3000;
/** How long a worker may take to report its counters. */
const COUNT_MS = 1000;
/** The id of a refused request. */
const REFUSED = 0;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #pool: WorkerPool;
  readonly #links: WorkerLink[] = [];
  readonly #pending = new NumberedTable<Pending>();
  readonly #plans: PlanStates;
  readonly #readsMayWrite: boolean;
  readonly #watchdog: ReturnType<typeof watchWorkers>;
  /** How many workers run short requests. */
  #shared = 1;
  #lastId = REFUSED;
  #closing = false;
  readonly #totals: Totals;
  /** The most connections of a worker to each source. */
  readonly connectionsPerSource: number;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#totals = options.dispatchers.totals;
    const { schema, expectedWaitMs, connectionsPerSource } = options.context;
    this.connectionsPerSource = connectionsPerSource;
    this.#readsMayWrite = schema.listeners.some(({ on }) => on.includes('select'));
    this.#plans = new PlanStates(expectedWaitMs);
    this.#pool = new WorkerPool(options, {
      attached: (link) => this.#links.push(link),
      replied: (...reply) => this.#replied(...reply),
      lost: (link) => this.#lost(link),
    });
    this.#watchdog = watchWorkers(options, {
      links: this.#links,
      lastId: () => this.#lastId,
      pending: () => this.#pending.entries(),
      overdue: (requests) => (this.#totals.requests.overdue += requests),
    });
    options.dispatchers.add(this);
  }

  /** How many workers are running. */
  get workers(): number {
    return this.#links.length;
  }

  /** Whether any worker has started. */
  get hasStarted(): boolean {
    return this.#links.some(({ hasStarted }) => hasStarted);
  }

  /** How many requests were sent to workers and not answered yet. */
  get unanswered(): number {
    return this.#pending.size;
  }

  /** Returns the id of the request. The sink may be called before, when it is refused. */
  ask(request: Question, sink: Sink, transfers: readonly ArrayBuffer[] = []): number {
    const link = this.#linkFor(sink, request.type === 'probe' ? 'started' : undefined);
    if (link === undefined) return REFUSED;
    const id = this.#add(link, sink, undefined, !isOpenEnded(request.type));
    link.request({ ...request, id }, transfers);
    return id;
  }

  /** Executes a plan. The sink may be called before this returns, when the request is refused. */
  execute(execution: Execution, sink: AnswerSink): number {
    const { planId } = execution.entry;
    const plan = this.#plans.get(planId);
    const refusal = refusalOf(plan);
    if (refusal !== undefined) return this.#refuse(sink, refusal);
    const affinity = plan ?? (isWrite(execution) ? NEW_WRITE : NEW_PLAN);
    const link = this.#linkFor(sink, affinity);
    if (link === undefined) return REFUSED;
    const id = this.#add(link, sink, execution);
    link.mark(id, sink);
    link.execute(id, execution);
    if (affinity.isShort === undefined && affinity.link === undefined)
      link.newPlans.set(planId, performance.now());
    this.#plans.sent(planId, link, affinity);
    return id;
  }

  /** Sends the executions that `work` starts to each worker in one message. */
  together(work: () => void): void {
    const links = [...this.#links];
    for (const link of links) link.gather();
    try {
      work();
    } finally {
      for (const link of links) link.sendGathered();
    }
  }

  /** Executes plans in one transaction. The sink may be called before this returns. */
  transact(transaction: Transaction, sink: AnswerSink): number {
    const link = this.#linkFor(sink, undefined);
    if (link === undefined) return REFUSED;
    const id = this.#add(link, sink, transaction);
    const buffers = buffersOf(transaction.steps.map(({ data }) => data));
    // Transferred data cannot be sent again to a worker that has dropped the plan.
    const known = buffers.length > 0 ? new Set<number>() : link.knownPlans;
    link.request(transactionMessage(id, transaction, known), buffers);
    return id;
  }

  /** Asks every worker for its report. Of a worker that does not answer in time, the last one is returned. */
  async countWorkers(): Promise<readonly WorkerReport[]> {
    await Promise.all(this.#links.map((link) => this.#countWorker(link)));
    return this.#links.flatMap(({ report }) => report ?? []);
  }

  #countWorker(link: WorkerLink): Promise<unknown> {
    return askWithin(this, COUNT_MS, (settle) => {
      const counted = (report: WorkerReport): void => {
        addReported(this.#totals, link, report);
        settle();
      };
      const id = this.#add(link, { counted, failed: () => settle() }, undefined);
      link.request({ type: 'count', id });
      return id;
    });
  }

  /**
   * Sends a part of the body of an import, whose bytes are transferred to the worker. Returns false when the caller
   * must wait for `ready`.
   */
  sendChunk(id: number, bytes: Uint8Array<ArrayBuffer>, last: boolean): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return true;
    pending.underway += bytes.byteLength;
    pending.hasBody = last;
    pending.link.post({ type: 'chunk', id, bytes, last }, bytes.buffer);
    return pending.underway < this.#options.importWindowBytes;
  }

  /** Cancels a request whose client has disconnected. */
  cancel(id: number): void {
    const pending = this.#takeBack(id);
    if (pending) this.#ended(pending, 'cancelled');
  }

  /** Cancels a request that will be sent again: it is not recorded. */
  withdraw(id: number): void {
    this.#takeBack(id);
  }

  #takeBack(id: number): Pending | undefined {
    const pending = this.#forget(id);
    pending?.link.cancel(id);
    return pending;
  }

  /** Gives the worker credit for these bytes of a streamed answer, and returns their buffer. */
  credit(id: number, bytes: number, buffer?: ArrayBuffer): void {
    const message = { type: 'credit', id, bytes } as const;
    const link = this.#pending.get(id)?.link;
    if (!buffer) return link?.post(message);
    // After the last part, any worker can use the buffer.
    (link ?? this.#links[id % this.#links.length])?.post({ ...message, buffer }, buffer);
  }

  /** Makes the workers drop a plan that has left the cache. */
  forgetPlan(planId: number): void {
    this.#plans.delete(planId);
    for (const link of this.#links) link.knownPlans.delete(planId);
  }

  /** Makes the workers close the connections that they do not use. */
  closeIdleConnections(): void {
    for (const link of this.#links) link.post({ type: 'retire' });
  }

  /** Ends the workers that have no requests, except the last one. They are not started again. */
  endIdleWorkers(): void {
    for (const link of this.#links.filter(({ inFlight }) => inFlight === 0)) {
      if (this.#links.length === 1) return;
      this.#links.splice(this.#links.indexOf(link), 1);
      void this.#countWorker(link).then(() => link.post({ type: 'close' }));
    }
  }

  /**
   * Lets the workers finish what they are running, for at most `deadlineMs`. Then cancels the rest in
   * the databases, answers those requests, and ends the workers.
   */
  async close(deadlineMs: number): Promise<void> {
    this.#closing = true;
    for (const link of this.#links) link.post({ type: 'close' });
    const isDone = await this.#pool.finish(deadlineMs);
    if (!isDone && this.#cancelAll()) await this.#pool.finish(CANCEL_MS);
    await this.#pool.end();
    this.#watchdog.stop();
    this.#options.dispatchers.delete(this);
  }

  /** Returns false when there was nothing to cancel. */
  #cancelAll(): boolean {
    for (const link of this.#links) link.passOnAll();
    const entries = this.#pending.entries();
    for (const [id] of entries) {
      // A sink that is called here may cancel other requests.
      const pending = this.#takeBack(id);
      if (pending) this.#fail(pending, DRAINING);
    }
    return entries.length > 0;
  }

  #add(link: WorkerLink, sink: Sink, order: Pending['order'], hasLimit = true): number {
    const id = ++this.#lastId;
    this.#totals.requests.dispatched += 1;
    this.#pending.add(id, newPending(link, sink, order, hasLimit));
    return id;
  }

  /** The worker for a new request; undefined if it was refused, which is reported to the sink. */
  #linkFor(sink: Sink, affinity: Parameters<typeof chooseLink>[1]): WorkerLink | undefined {
    const full = this.#pending.size >= this.#options.queueMax;
    const link =
      full || this.#closing ? undefined : chooseLink(this.#links, affinity, this.#shared);
    if (!link) this.#refuse(sink, this.#closing ? DRAINING : full ? QUEUE_FULL : WORKER_LOST);
    return link;
  }

  #refuse(sink: Sink, problem: Problem): typeof REFUSED {
    this.#totals.requests.refused += 1;
    sink.failed({ problem });
    return REFUSED;
  }

  /** Looks whether a worker has refused a request because too many of its plan are waiting. */
  #noteRefusal({ order }: Pending, problem: Problem): void {
    if (problem.code !== 'queue-full' || order === undefined || 'steps' in order) return;
    this.#totals.requests.refused += 1;
    this.#plans.refused(order.entry.planId, problem);
  }

  /** See `onReply` of `LinkOptions`. */
  #replied(link: WorkerLink, reply: WorkerReply, from: number, to: number): void {
    switch (reply.type) {
      case 'answers':
        return this.#answered(link, reply, from, to);
      case 'hello':
        return;
      case 'estimate':
        return this.#plans.estimated(reply, link, this.#links);
      case 'load':
        link.load = reply.load;
        this.#shared = countShared(this.#links, this.#shared);
        return;
      case 'tallies':
        return this.#options.recorder.add(reply.tallies);
      default: {
        const pending = this.#pending.get(reply.id);
        // Replies with unknown ids belong to cancelled requests.
        if (pending?.link === link) this.#repliedTo(pending, reply);
      }
    }
  }

  #repliedTo(pending: Pending, reply: RequestReply): void {
    if (reply.type === 'planMissing' && sendAgain(reply.id, pending)) return;
    if (reply.type === 'taken') {
      pending.underway -= reply.bytes;
      if (pending.underway < this.#options.importWindowBytes) pending.sink.ready?.();
      return;
    }
    if (reply.type === 'timing') {
      pending.timing = reply;
      pending.sink.timed?.(reply);
      return;
    }
    if (endsRequest(reply)) {
      this.#forget(reply.id);
      this.#ended(pending, reply.type === 'failed' ? 'failed' : 'answered');
      if (reply.type === 'failed') this.#noteRefusal(pending, reply.problem);
    } else pending.hasLimit = false;
    if (pending.sink.counts) pending.sink.counts.rows += rowsIn(reply);
    settle(pending.sink, reply);
  }

  #answered(link: WorkerLink, replies: WholeReplies, from: number, to: number): void {
    const { ids, ends, bytes, rows } = replies;
    const isShared = typeof bytes === 'number';
    const answers = isShared ? link.answers.subarray(bytes) : bytes;
    let start = ends[from - 1] ?? 0;
    const now = performance.now();
    for (let index = from; index < to; index += 1) {
      const id = ids[index] ?? REFUSED;
      const end = ends[index] ?? start;
      const pending = this.#pending.get(id);
      if (pending !== undefined && pending.link === link) {
        this.#forget(id);
        this.#options.recorder.ended(pending, 'answered', now);
        if (rows && pending.sink.counts) pending.sink.counts.rows += rows[index] ?? 0;
        settleWhole(pending.sink, answers, start, end);
      }
      start = end;
    }
    if (isShared && to === ids.length) link.releaseAnswers();
  }

  #forget(id: number): Pending | undefined {
    const pending = this.#pending.take(id);
    if (pending === undefined) return undefined;
    const { link, order } = pending;
    link.inFlight--;
    if (order === undefined) return pending;
    if ('steps' in order) for (const { entry } of order.steps) this.#forgetEvicted(entry);
    else {
      if (link.newPlans.size > 0) link.newPlans.delete(order.entry.planId);
      this.#forgetEvicted(order.entry);
    }
    return pending;
  }

  /** Must be called when a request ends: if it was sent after the eviction, it has made the plan known again. */
  #forgetEvicted({ planId, isEvicted }: PlanEntry): void {
    if (isEvicted) this.forgetPlan(planId);
  }

  /** Returns whether the worker is to be replaced. */
  #lost(link: WorkerLink): boolean {
    const at = this.#links.indexOf(link);
    const isReplaced = at !== -1 && !this.#closing;
    if (at !== -1) this.#links.splice(at, 1);
    // What its last answers start must go to another worker.
    link.passOnAll();
    this.#plans.lost(link);
    if (isReplaced) this.#totals.requests.workersLost += 1;
    for (const [id, pending] of this.#pending.entries()) {
      if (pending.link !== link || this.#forget(id) === undefined) continue;
      this.#fail(pending, this.#closing ? DRAINING : WORKER_LOST);
    }
    return isReplaced;
  }

  /** Fails a request that a worker may have begun. The outcome of a write is unknown then. */
  #fail(pending: Pending, problem: Problem): void {
    this.#ended(pending, 'failed');
    pending.sink.failed({
      problem: mayHaveWritten(pending, this.#readsMayWrite) ? OUTCOME_UNKNOWN : problem,
    });
  }

  #ended(pending: Pending, outcome: Outcome): void {
    this.#options.recorder.ended(pending, outcome, performance.now());
  }
}
