/**
 * Sends requests to workers and their replies back: chooses the worker, bounds what is unanswered,
 * answers for a worker that is lost. Knows neither HTTP nor the cache of plans.
 */
import { NumberedTable, type Problem } from '../../engine/index.js';
import type { BatchingCounts, WorkerReply, WorkerRequest } from '../../workers/protocol.js';
import { chooseLink, type Affinity } from './choose-link.js';
import {
  endsRequest,
  type Pending,
  settle,
  settleWhole,
  type Transaction,
  transactionMessage,
  type WholeReplies,
} from './pending.js';
import type { AnswerSink, CountSink, ImportSink, Sink } from './sinks.js';
import { buffersOf, type Execution, type WorkerLink } from './worker-link.js';
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.js';

export interface DispatcherOptions extends WorkerPoolOptions {
  /** Requests that may be unanswered, over all workers. */
  readonly queueMax: number;
  /** Bytes of an import's body that may be on their way to a worker. */
  readonly importWindowBytes: number;
}

/** Sends the body of an import on. */
export interface ImportFlow {
  /** Gives the bytes away (they are transferred). False: wait for `ready`. */
  send(bytes: Uint8Array<ArrayBuffer>, last: boolean): boolean;
  cancel(): void;
}

/** What the dispatcher counts, for logs and metrics. */
export interface DispatcherCounters {
  readonly workers: number;
  readonly unanswered: number;
  readonly dispatched: number;
  readonly refused: number;
  readonly workersLost: number;
}

/** How long the workers have, once they are late, to cancel what they run. */
const CANCEL_MS = 3000;
/** An id that no request has: it was refused. */
const REFUSED = 0;

const QUEUE_FULL: Problem = {
  code: 'queue-full',
  detail: 'Too many requests are waiting to be answered.',
};
const WORKER_LOST: Problem = {
  code: 'worker-lost',
  detail: 'The worker that ran this request was lost; the request may be sent again.',
};
const DRAINING: Problem = { code: 'draining', detail: 'The service is stopping.' };

/** What is asked of some worker, whichever it is. */
type Question = Without<
  'id',
  Extract<WorkerRequest, { readonly type: 'body' | 'compile' | 'export' | 'probe' | 'import' }>
>;
type Without<Name extends string, Of> = Of extends unknown ? Omit<Of, Name> : never;

/** Where an import goes, and whether members that the schema does not know are refused. */
export type ImportPlace = Without<'type', Extract<Question, { readonly type: 'import' }>>;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #pool: WorkerPool;
  readonly #links: WorkerLink[] = [];
  readonly #pending = new NumberedTable<Pending>();
  /** Where a plan ran last, by its id. */
  readonly #homes = new Map<number, Affinity>();
  #lastId = REFUSED;
  #closing = false;
  #refused = 0;
  #workersLost = 0;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#pool = new WorkerPool(options, {
      attached: (link) => this.#attached(link),
      replied: (link, replies) => this.#replied(link, replies),
      lost: (link) => this.#lost(link),
    });
  }

  get counters(): DispatcherCounters {
    return {
      workers: this.#links.length,
      unanswered: this.#pending.size,
      dispatched: this.#lastId,
      refused: this.#refused,
      workersLost: this.#workersLost,
    };
  }

  /**
   * Sends a request to some worker, and answers with its id. The sink, which takes the replies to such a
   * request, may be called before this returns, when the request is refused.
   */
  ask(request: Question, sink: Sink, transfers: readonly ArrayBuffer[] = []): number {
    const link = this.#linkFor(sink, undefined);
    if (link === undefined) return REFUSED;
    const id = this.#add(link, sink, undefined);
    link.request({ ...request, id }, transfers);
    return id;
  }

  /** Runs a plan. The sink may be called before this returns, when the request is refused. */
  execute(execution: Execution, sink: AnswerSink): number {
    const { planId } = execution.entry;
    const affinity = this.#homes.get(planId);
    const link = this.#linkFor(sink, affinity);
    if (link === undefined) return REFUSED;
    const id = this.#add(link, sink, execution);
    if (affinity) affinity.link = link;
    else this.#homes.set(planId, { link, isShort: isWrite(execution) });
    link.execute(id, execution);
    return id;
  }

  /** Runs plans in one transaction. The sink may be called before this returns. */
  transact(transaction: Transaction, sink: AnswerSink): number {
    const link = this.#linkFor(sink, undefined);
    if (link === undefined) return REFUSED;
    const id = this.#add(link, sink, transaction);
    const buffers = buffersOf(transaction.steps.map(({ data }) => data));
    // What is given away cannot be sent again to a worker that has dropped a plan.
    const known = buffers.length > 0 ? new Set<number>() : link.knownPlans;
    link.request(transactionMessage(id, transaction, known), buffers);
    return id;
  }

  /** Asks every worker what its batcher has counted; one that does not tell is left out. */
  async countBatching(): Promise<readonly BatchingCounts[]> {
    const counts = await Promise.all(this.#links.map((link) => this.#countBatching(link)));
    return counts.filter((each) => each !== undefined);
  }

  #countBatching(link: WorkerLink): Promise<BatchingCounts | undefined> {
    return new Promise((resolve) => {
      const sink: CountSink = { counted: resolve, failed: () => resolve(undefined) };
      const id = this.#add(link, sink, undefined);
      link.request({ type: 'count', id });
    });
  }

  /** Opens an import; its body follows through the flow. */
  import(place: ImportPlace, sink: ImportSink): ImportFlow {
    const id = this.ask({ type: 'import', ...place }, sink);
    return {
      send: (bytes, last) => this.#sendChunk(id, bytes, last),
      cancel: () => this.cancel(id),
    };
  }

  /** The client went away: nothing more comes of this request. */
  cancel(id: number): void {
    this.#forget(id)?.link.cancel(id);
  }

  /** These bytes of a streamed answer have been passed on; their buffer goes back to its worker. */
  credit(id: number, { byteLength: bytes, buffer }: Uint8Array<ArrayBuffer>): void {
    this.#pending.get(id)?.link.post({ type: 'credit', id, bytes, buffer }, buffer);
  }

  /** The plan has left the cache. */
  forgetPlan(planId: number): void {
    this.#homes.delete(planId);
    for (const link of this.#links) link.knownPlans.delete(planId);
  }

  /**
   * Lets the workers finish what they run, at most `deadlineMs`; then what is left is cancelled in its
   * database and answered, and the workers end.
   */
  async close(deadlineMs: number): Promise<void> {
    this.#closing = true;
    for (const link of this.#links) link.post({ type: 'close' });
    const isDone = await this.#pool.finish(deadlineMs);
    if (!isDone && this.#cancelAll()) await this.#pool.finish(CANCEL_MS);
    await this.#pool.end();
  }

  /** False: there was nothing to cancel. */
  #cancelAll(): boolean {
    const entries = this.#pending.entries();
    for (const [id] of entries) {
      // What is told of one may have taken back another.
      const pending = this.#forget(id);
      pending?.link.cancel(id);
      pending?.sink.failed({ problem: DRAINING });
    }
    return entries.length > 0;
  }

  #add(link: WorkerLink, sink: Sink, order: Pending['order']): number {
    const id = ++this.#lastId;
    this.#pending.add(id, { link, sink, order, resent: false, underway: 0 });
    return id;
  }

  /** The worker for a new request; undefined when it was refused, which the sink then knows. */
  #linkFor(sink: Sink, affinity: Affinity | undefined): WorkerLink | undefined {
    const full = this.#pending.size >= this.#options.queueMax;
    const link = full || this.#closing ? undefined : chooseLink(this.#links, affinity);
    if (link !== undefined) return link;
    this.#refused++;
    sink.failed({ problem: this.#closing ? DRAINING : full ? QUEUE_FULL : WORKER_LOST });
    return undefined;
  }

  #sendChunk(id: number, bytes: Uint8Array<ArrayBuffer>, last: boolean): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return true;
    pending.underway += bytes.byteLength;
    pending.link.post({ type: 'chunk', id, bytes, last }, bytes.buffer);
    return pending.underway < this.#options.importWindowBytes;
  }

  #replied(link: WorkerLink, replies: readonly WorkerReply[]): void {
    for (const reply of replies) {
      if (reply.type === 'answers') {
        this.#answered(link, reply);
        continue;
      }
      if (reply.type === 'estimate') {
        const affinity = this.#homes.get(reply.planId);
        if (affinity) affinity.isShort = reply.isShort;
        continue;
      }
      const pending = this.#pending.get(reply.id);
      // Unknown ids are those of cancelled requests.
      if (pending === undefined || pending.link !== link) continue;
      if (reply.type === 'planMissing' && this.#resend(reply.id, pending)) continue;
      if (reply.type === 'taken') {
        pending.underway -= reply.bytes;
        if (pending.underway < this.#options.importWindowBytes) pending.sink.ready?.();
        continue;
      }
      if (endsRequest(reply)) this.#forget(reply.id);
      settle(pending.sink, reply);
    }
  }

  #answered(link: WorkerLink, { ids, ends, bytes }: WholeReplies): void {
    let start = 0;
    for (let index = 0; index < ids.length; index += 1) {
      const id = ids[index] ?? REFUSED;
      const end = ends[index] ?? start;
      const pending = this.#pending.get(id);
      if (pending !== undefined && pending.link === link) {
        this.#forget(id);
        settleWhole(
          pending.sink,
          new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start),
        );
      }
      start = end;
    }
  }

  /** Sends the plan once more to a worker that no longer holds it. */
  #resend(id: number, pending: Pending): boolean {
    const { order, link } = pending;
    if (order === undefined || pending.resent) return false;
    pending.resent = true;
    if ('steps' in order) {
      for (const { entry } of order.steps) link.knownPlans.delete(entry.planId);
      link.post(transactionMessage(id, order, link.knownPlans));
    } else {
      link.knownPlans.delete(order.entry.planId);
      link.resend(id, order);
    }
    return true;
  }

  #forget(id: number): Pending | undefined {
    const pending = this.#pending.take(id);
    if (pending !== undefined) pending.link.inFlight--;
    return pending;
  }

  #attached(link: WorkerLink): void {
    this.#links.push(link);
  }

  #lost(link: WorkerLink): void {
    this.#links.splice(this.#links.indexOf(link), 1);
    if (!this.#closing) this.#workersLost++;
    for (const [id, pending] of this.#pending.entries()) {
      if (pending.link !== link || this.#forget(id) === undefined) continue;
      pending.sink.failed({ problem: this.#closing ? DRAINING : WORKER_LOST });
    }
  }
}

/** Writes stay together, too: those that wait at the same time share a commit. */
function isWrite({ entry }: Execution): boolean {
  return entry.plan.root.write !== undefined;
}
