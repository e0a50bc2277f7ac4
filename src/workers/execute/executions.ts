/**
 * The way of a request through a worker, from its message to its answer:
 *
 *     plan → arguments → write | read with hooks, or of several sources | batcher → rows → answer
 */
import {
  invariant,
  NumberedTable,
  type OutputBytes,
  type RowsForm,
  rowsForms,
} from '../../engine/index.js';
import type { Cancellation, CancellationLever } from '../cancellation.js';
import type { Context } from '../context.js';
import { SourceError } from '../database/source-error.js';
import type { Outbox } from './outbox.js';
import type { ReadyPlan } from '../plans.js';
import type {
  BatchingCounts,
  ExecutionItem,
  ExecutionMark,
  PoolState,
  RequestData,
  WorkerReply,
} from '../protocol.js';
import { execute, readData } from './execute-read.js';
import { write } from './execute-write.js';
import { type Answer, sendPage } from './answer.js';
import { Batcher } from './batcher.js';
import { namedFault } from './parameter-fault.js';
import { listenersOf } from './hooks.js';
import { sourceNames } from './read.js';
import type { AloneProgress } from './read-host.js';
import { Request } from './request.js';
import { shownFault } from './shown-fault.js';
import type { RequestBody } from './request-body.js';
import { WaitAdmission } from './wait-admission.js';

/** An execution, as the gateway requests it. */
interface Execution {
  readonly id: number;
  readonly form: RowsForm;
  readonly data: string | undefined;
  /** When it arrived, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** When it arrived, by `performance.now()`. */
  readonly joinedAt: number;
  readonly mark: ExecutionMark;
}

const UNMARKED: ExecutionMark = { isTimed: false };

/** A running request, and what later messages act on. */
export interface Running {
  readonly id: number;
  readonly cancellation: CancellationLever;
  readonly answer: Answer;
  /** The body that follows the request: the document of an import. */
  readonly body: RequestBody;
  /** When it arrived, and when its first statement began, if that is known. */
  readonly joinedAt: number;
  startedAt: number | undefined;
  readonly isTimed: boolean;
  /** Whether something may be stored when it fails without an answer. */
  readonly mayWrite: boolean;
}

/** `isTimed`: the answer is preceded by its timing, however short it was. `mayWrite`: see {@link Running}. */
export interface RunOptions extends Partial<Pick<Running, 'isTimed' | 'mayWrite'>> {
  /** The views of its queries: errors do not name what they hide. */
  readonly views?: readonly string[];
}

/** Runs a request. Resolves to its reply, or to undefined if the answer contains it. */
export type Task = (running: Running) => Promise<WorkerReply | undefined>;

/** Runs requests that are not batched. */
export interface ExecutionsHost {
  run(id: number, task: Task, options: RunOptions): void;
  failed(id: number, error: unknown): void;
  /** A request has been answered. */
  ended(): void;
}

export class Executions {
  readonly #context: Context;
  readonly #outbox: Outbox;
  readonly #host: ExecutionsHost;
  readonly #batcher: Batcher;
  readonly #waitAdmission: WaitAdmission;
  /** The requests that the batcher has. */
  readonly #requests = new NumberedTable<Request>();
  /** The special executions of this message. A Map would leak memory under churn. */
  #marks: { readonly id: number; readonly mark: ExecutionMark }[] = [];
  #instantAt = Number.NaN;
  #instant = '';

  constructor(context: Context, outbox: Outbox, host: ExecutionsHost) {
    this.#context = context;
    this.#outbox = outbox;
    this.#host = host;
    this.#waitAdmission = new WaitAdmission(context.settings.connectionWaitMs);
    this.#batcher = new Batcher(context, {
      answer: (request, bytes) => this.#answer(request, bytes),
      answerAll: (requests, ends, bytes) => this.#answerAll(requests, ends, bytes),
      failed: (request, error) => this.#fail(request, error),
      runAlone: (request, progress) => this.#runAlone(request, progress),
      estimated: (ready) => this.#report(ready),
    });
  }

  /** The number of unanswered requests. */
  get size(): number {
    return this.#requests.size;
  }

  get counts(): BatchingCounts {
    return this.#batcher.counters;
  }

  /** The mean load of the connections since the last call; see `takeLoad` of `Batcher`. */
  takeLoad(): number {
    return this.#batcher.takeLoad();
  }

  /** The connections to each source, and the requests that wait for one. */
  get pools(): readonly PoolState[] {
    const now = performance.now();
    return this.#context.sources.all.map(({ name: source, pool }) => {
      const { waiters, ...use } = pool.use;
      const all = [...waiters, ...this.#batcher.waitersOf(source)];
      const waitingMs = all.length === 0 ? 0 : now - Math.min(...all);
      return { source, ...use, waiting: all.length, waitingMs };
    });
  }

  /** Another worker has measured that the reads of the plan are short. */
  learnShort(planId: number): void {
    const ready = this.#context.plans.get(planId);
    if (ready && !ready.plan.root.write) this.#batcher.learnShort(ready);
  }

  /** The execution with this id follows. */
  mark(id: number, mark: ExecutionMark): void {
    this.#marks.push({ id, mark });
  }

  /** Starts the executions of a message, four values each. */
  take(items: readonly ExecutionItem[]): void {
    const receivedAt = Date.now();
    const joinedAt = performance.now();
    for (let at = 0; at < items.length; at += 4) {
      const [id, planId, form, data] = [items[at], items[at + 1], items[at + 2], items[at + 3]];
      invariant(typeof id === 'number' && typeof planId === 'number', 'an execution has its ids');
      const ready = this.#context.plans.get(planId);
      const text = typeof data === 'number' ? undefined : textOfData(data);
      const mark = this.#marks.length > 0 ? this.#markOf(id) : UNMARKED;
      if (ready === undefined) this.#outbox.send({ type: 'planMissing', id });
      else this.#start({ id, form: formOf(form), data: text, receivedAt, joinedAt, mark }, ready);
    }
    if (this.#marks.length > 0) this.#marks = [];
  }

  #markOf(id: number): ExecutionMark {
    return this.#marks.find((each) => each.id === id)?.mark ?? UNMARKED;
  }

  /** Runs a transaction of these plans; rejects with `queue-full`, and does not run it, if it would wait too long. */
  admit(plans: readonly ReadyPlan[], run: () => Promise<void>): Promise<void> {
    const [first] = plans;
    if (!first) return run();
    const kind = plans.length === 1 ? first : this.#context.sources.get(first.plan.root.source);
    return this.#waitAdmission.run(kind, () => this.#isWaitedFor(first), run);
  }

  cancel(id: number): void {
    this.#requests.get(id)?.cancel();
  }

  cancelAll(): void {
    for (const [, request] of this.#requests.entries()) request.cancel();
  }

  failAll(error: unknown): void {
    for (const [, request] of this.#requests.entries()) this.#fail(request, error);
  }

  close(): void {
    this.#batcher.close();
  }

  #start(execution: Execution, ready: ReadyPlan): void {
    if (ready.plan.root.write) return this.#write(execution, ready);
    try {
      this.#read(execution, ready);
    } catch (error) {
      this.#host.failed(execution.id, error);
    }
  }

  #write(execution: Execution, ready: ReadyPlan): void {
    const { id, form, data, receivedAt, mark } = execution;
    const { isTimed, comment } = mark;
    const task: Task = async ({ answer, cancellation, joinedAt }) => {
      const instant = this.#instantOf(receivedAt);
      const { source } = ready.plan.root;
      const batcher = comment === undefined ? this.#batcher.writesOf(source) : undefined;
      const own = { form, answer, cancellation, batcher, comment };
      const order = { ready, data, instant, ...own };
      const isWaitedFor = () => batcher?.isWaitedFor === true || this.#isWaitedFor(ready);
      const run = () =>
        write(this.#context, order).finally(() => {
          ready.count.ran(1, performance.now() - joinedAt);
          ready.count.addRows(answer.rows);
        });
      await this.#waitAdmission.run(ready, isWaitedFor, run);
      return undefined;
    };
    this.#host.run(id, task, { isTimed, mayWrite: true, views: [ready.plan.view] });
  }

  /** Whether requests are waiting for a connection to a source of the plan. */
  #isWaitedFor({ plan }: ReadyPlan): boolean {
    const { sources } = this.#context;
    return sourceNames(plan.root).some((name) => sources.get(name).pool.isWaitedFor);
  }

  #read(execution: Execution, asked: ReadyPlan): void {
    const { id, form, data, receivedAt, joinedAt, mark } = execution;
    const { isTimed, comment } = mark;
    const { plans } = this.#context;
    const instant = asked.asksTime ? this.#instantOf(receivedAt) : undefined;
    const values = readData(asked, data, instant);
    const ready = plans.variant(asked, values.variant);
    ready.sharesConnections ??= sharesConnections(this.#context, ready);
    const isBatched = ready.sharesConnections && comment === undefined;
    // Those that are not batched are not measured.
    if (!isBatched && asked.isShort === undefined && ready.measured(false)) this.#report(asked);
    if (isBatched) {
      const request = new Request({ id, ready, values, form, joinedAt });
      request.isTimed = isTimed;
      this.#requests.add(id, request);
      return this.#batcher.join(request);
    }
    const task: Task = async (running) => {
      const { answer, cancellation } = running;
      const onStart = (): void => {
        running.startedAt = performance.now();
      };
      const own = { form, answer, cancellation, onStart, comment };
      const order = { ready: asked, values, ...own };
      const run = () =>
        execute(this.#context, { ...order, data, receivedAt }).finally(() => {
          ready.count.ran(1, performance.now() - (running.startedAt ?? joinedAt));
          ready.count.addRows(answer.rows);
        });
      // Streamed answers last as long as their clients read, and have a limit of their own.
      await (ready.isStreamed ? run() : this.admit([asked], run));
      return undefined;
    };
    const mayWrite = listenersOf(this.#context, asked.plan).length > 0;
    this.#host.run(id, task, { isTimed, mayWrite, views: [asked.plan.view] });
  }

  /** Tells the gateway whether a plan is short. */
  #report({ planId, isShort = false }: ReadyPlan): void {
    if (typeof planId === 'number') this.#outbox.send({ type: 'estimate', planId, isShort });
  }

  /** Requests of the same millisecond share the text. */
  #instantOf(receivedAt: number): string {
    if (receivedAt !== this.#instantAt) {
      this.#instantAt = receivedAt;
      this.#instant = new Date(receivedAt).toISOString();
    }
    return this.#instant;
  }

  #answer(request: Request, bytes: OutputBytes): void {
    const { id, rows, next } = request;
    if (!this.#requests.take(id)) return;
    this.#count(request);
    const whole = bytes.bytes.subarray(0, bytes.length);
    if (next === undefined) this.#outbox.sendWhole(id, whole, rows);
    else sendPage(this.#outbox, { id, rows, next }, whole);
    this.#host.ended();
  }

  #answerAll(requests: readonly Request[], ends: readonly number[], bytes: OutputBytes): void {
    // The gateway has already forgotten requests that were answered otherwise meanwhile.
    for (const request of requests) {
      this.#requests.take(request.id);
      this.#count(request);
    }
    this.#outbox.sendAll(requests, ends, bytes);
    this.#host.ended();
  }

  #count(request: Request): void {
    request.ready.count.addRows(request.rows);
    if (request.isTimed) this.#outbox.sendTiming(request);
  }

  #fail(request: Request, error: unknown): void {
    const { id, ready } = request;
    this.#requests.take(id);
    if (request.isTimed && request.startedAt > 0) this.#outbox.sendTiming(request);
    const { plan } = ready;
    const shown = shownFault(this.#context.catalog, [plan.view], namedFault(error, plan.root));
    this.#host.failed(id, shown);
    this.#host.ended();
  }

  /** Runs a request on separate connections; resolves to whether its answer was small. */
  #runAlone(request: Request, { onStart, onStreamed, trial }: AloneProgress): Promise<boolean> {
    const { id, ready, values, form, isTimed } = request;
    if (!this.#requests.take(id)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const task: Task = async (running) => {
        const { answer, cancellation } = running;
        if (request.isCancelled) cancellation.cancel();
        const began = (): void => {
          running.startedAt = performance.now();
          onStart();
        };
        const own = { ready, values: { ...values, variant: [] }, form };
        const order = { ...own, answer, onStart: began, onStreamed };
        const once = (stopping: Cancellation): Promise<void> =>
          execute(this.#context, { ...order, cancellation: stopping });
        await (trial?.run(once, running) ?? once(cancellation)).finally(() => {
          ready.count.addRows(answer.rows);
          resolve(!answer.hasLeft);
        });
        return undefined;
      };
      this.#host.run(id, task, { isTimed, views: [ready.plan.view] });
    });
  }
}

/**
 * Whether short reads of the plan may share connections: they have no listeners and only one source, and pages have no
 * includes.
 */
function sharesConnections(context: Context, { plan }: ReadyPlan): boolean {
  if (plan.cursor && plan.root.includes.length > 0) return false;
  return listenersOf(context, plan).length === 0 && sourceNames(plan.root).length === 1;
}

export function textOfData(data: RequestData): string | undefined {
  if (typeof data !== 'object') return data;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
}

function formOf(item: ExecutionItem): RowsForm {
  if (item === undefined) return 'compact';
  const form = rowsForms.find((each) => each === item);
  if (form === undefined) throw new SourceError('internal');
  return form;
}
