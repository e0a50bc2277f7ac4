/** A worker in service: runs the messages of the gateway that arrive at its port, and posts replies. */
import type { MessagePort } from 'node:worker_threads';
import { assertNever, compileQuery, NumberedTable, OutputBytes } from '../engine/index.js';
import { createCancellation } from './cancellation.js';
import { type Context, withLimits } from './context.js';
import { Answer } from './execute/answer.js';
import type { AnswerMemory } from './execute/answer-memory.js';
import {
  Executions,
  type Running,
  type RunOptions,
  type Task,
  textOfData,
} from './execute/executions.js';
import { shownFault } from './execute/shown-fault.js';
import { RequestBody } from './execute/request-body.js';
import { importDocument } from './import/import-document.js';
import { Outbox } from './execute/outbox.js';
import { giveOutput } from './execute/spare-outputs.js';
import { toFailure } from './problems.js';
import type { TransactionOrder, WorkerReport, WorkerReply, WorkerRequest } from './protocol.js';
import { explain } from './tasks/explain.js';
import { writeExport } from './tasks/export-document.js';
import { splitBody } from './tasks/split-body.js';
import { probe } from './tasks/probe.js';
import { WorkerLoad } from './worker-load.js';
import { runTransaction } from './tasks/transaction.js';

/** How often the worker reports the counts of plans to the gateway. */
const TALLY_MS = 1000;
/** How often it reports its load. */
const LOAD_MS = 250;
/** A smaller change of the load is not reported. */
const LOAD_STEP = 0.02;

export class Server {
  readonly #context: Context;
  readonly #outbox: Outbox;
  readonly #running = new NumberedTable<Running>();
  readonly #executions: Executions;
  readonly #timer = setInterval(() => this.#sendTallies(), TALLY_MS).unref();
  readonly #loadTimer = setInterval(() => this.#sendLoad(), LOAD_MS).unref();
  readonly #load = new WorkerLoad();
  #sentLoad = 0;
  #isClosing = false;
  #end: () => void = () => undefined;
  /** Resolves when the gateway has closed the worker and everything has finished. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  constructor(port: MessagePort, memory: AnswerMemory, context: Context) {
    this.#context = context;
    this.#outbox = new Outbox(port, memory, context.settings.countsRows);
    this.#executions = new Executions(context, this.#outbox, {
      run: (id, task, options) => this.#run(id, task, options),
      failed: (id, error) => this.#fail(id, error),
      ended: () => this.#endWhenIdle(),
    });
    port.on('message', (requests: readonly WorkerRequest[]) => {
      for (const request of requests) this.#take(request);
      context.plans.settle();
    });
    // The requests in the message would never be answered: the thread ends, and another one replaces it.
    port.on('messageerror', (error) => {
      throw error;
    });
    port.on('close', () => this.#abandon());
  }

  get report(): WorkerReport {
    const { counts, pools } = this.#executions;
    const { all } = this.#context.sources;
    const runaways = all.reduce((sum, { pool }) => sum + pool.runaways, 0);
    return { counts: { ...counts, runaways }, pools };
  }

  /**
   * Answers the running reads with this error, because the thread is about to end. The gateway answers the others then:
   * it is unknown what they have stored.
   */
  failAll(error: unknown): void {
    for (const [id, { mayWrite }] of this.#running.entries()) {
      if (!mayWrite) this.#fail(id, error);
    }
    this.#executions.failAll(error);
    this.#outbox.flush();
  }

  /** Closes the connections once no request needs them. */
  close(): void {
    this.#executions.close();
  }

  #take(request: WorkerRequest): void {
    switch (request.type) {
      case 'compile':
        return this.#run(request.id, async ({ id }) => {
          const { catalog, settings } = this.#context;
          const { type: _, id: _id, ...query } = request;
          const plan = compileQuery(catalog, { ...query, limits: settings.limits });
          return { type: 'compiled', id, plan };
        });
      case 'body':
        return this.#split(request.id, request.bytes);
      case 'plan':
        this.#context.plans.put(request.planId, request.plan);
        return;
      case 'executions':
        return this.#executions.take(request.items);
      case 'transaction':
        return this.#transact(request.id, request.order);
      case 'probe':
        return this.#run(request.id, async ({ id }) => {
          return { type: 'probed', id, ...(await probe(this.#context, request.stage)) };
        });
      case 'import':
        return this.#run(
          request.id,
          async ({ id, body, cancellation }) => {
            const order = { ...request, context: this.#context, body, cancellation };
            return { type: 'imported', id, ...(await importDocument(order)) };
          },
          { mayWrite: true, views: [request.view] },
        );
      case 'export':
        return this.#run(
          request.id,
          async ({ answer, cancellation }) => {
            const { catalog, sources } = this.#context;
            await writeExport({ ...request, catalog, sources, answer, cancellation });
            return undefined;
          },
          { views: [request.view] },
        );
      case 'chunk':
        return this.#running.get(request.id)?.body.push(request.bytes, request.last);
      case 'credit':
        if (request.buffer) giveOutput(new OutputBytes(request.buffer));
        return this.#running.get(request.id)?.answer.credit(request.bytes);
      case 'hello':
        return this.#outbox.send({ type: 'hello' });
      case 'count':
        this.#sendTallies();
        return this.#outbox.send({ type: 'counted', id: request.id, report: this.report });
      case 'short':
        return this.#executions.learnShort(request.planId);
      case 'mark':
        return this.#executions.mark(request.id, request);
      case 'cancel':
        this.#executions.cancel(request.id);
        return this.#running.get(request.id)?.cancellation.cancel();
      case 'retire':
        for (const { pool } of this.#context.sources.all) pool.keepNone();
        return;
      case 'close':
        this.#isClosing = true;
        return this.#endWhenIdle();
      default:
        return assertNever(request);
    }
  }

  #transact(id: number, order: TransactionOrder): void {
    const { plans } = this.#context;
    const instant = new Date().toISOString();
    const steps = order.steps.flatMap(({ planId, plan, data }) => {
      if (plan) plans.put(planId, plan);
      const ready = plans.get(planId);
      return ready ? [{ ready, data: textOfData(data) }] : [];
    });
    if (steps.length < order.steps.length) return this.#outbox.send({ type: 'planMissing', id });
    const asked = steps.map(({ ready }) => ready);
    const run: Task = async ({ answer, cancellation }) => {
      const task = { ...order, steps, instant, answer, cancellation };
      const context = withLimits(this.#context, order.limits);
      if (order.explains) await explain(context, task);
      else await this.#executions.admit(asked, () => runTransaction(context, task));
      return undefined;
    };
    const views = asked.map(({ plan }) => plan.view);
    this.#run(id, run, { isTimed: order.isTimed === true, mayWrite: true, views });
  }

  #split(id: number, bytes: Uint8Array<ArrayBuffer>): void {
    try {
      const { text, cuts } = splitBody(bytes);
      const buffers = new Set(cuts.map(({ buffer }) => buffer));
      this.#outbox.send({ type: 'split', id, text, cuts }, ...buffers);
    } catch (error) {
      this.#outbox.send({ type: 'failed', id, ...toFailure(error) });
    }
  }

  #run(id: number, task: Task, options: RunOptions = {}): void {
    const { isTimed = false, mayWrite = false, views = [] } = options;
    const { streamWindowBytes } = this.#context.settings;
    const answer = new Answer(id, this.#outbox, streamWindowBytes);
    const cancellation = createCancellation();
    const taken = (bytes: number): void => this.#outbox.send({ type: 'taken', id, bytes });
    const body = new RequestBody(cancellation, taken);
    const moments = { joinedAt: performance.now(), startedAt: undefined };
    const running: Running = { id, cancellation, answer, body, ...moments, isTimed, mayWrite };
    this.#running.add(id, running);
    if (isTimed)
      answer.beforeFirstPart = () => this.#outbox.sendTiming({ ...running, rows: answer.rows });
    void task(running).then(
      (reply) => this.#finish(running, reply),
      (error: unknown) => {
        const shown = shownFault(this.#context.catalog, views, error);
        this.#finish(running, { type: 'failed', id, ...toFailure(shown) });
      },
    );
  }

  #fail(id: number, error: unknown): void {
    this.#running.take(id);
    this.#outbox.send({ type: 'failed', id, ...toFailure(error) });
  }

  /** Ends a request. If it was the last one, its reply is sent at once. */
  #finish(running: Running, reply: WorkerReply | undefined): void {
    if (!this.#running.take(running.id)) return;
    const { slowMs } = this.#context.settings;
    const now = performance.now();
    const isSlow = slowMs > 0 && now - running.joinedAt >= slowMs;
    if (running.isTimed || isSlow)
      this.#outbox.sendTiming({ ...running, rows: running.answer.rows }, now);
    if (reply) this.#outbox.send(reply);
    else running.answer.end();
    this.#endWhenIdle();
  }

  #sendLoad(): void {
    const load = this.#load.take(this.#executions.takeLoad());
    if (Math.abs(load - this.#sentLoad) < LOAD_STEP) return;
    this.#sentLoad = load;
    this.#outbox.send({ type: 'load', load });
  }

  #sendTallies(): void {
    const tallies = this.#context.plans.takeTallies();
    if (tallies.length > 0) this.#outbox.send({ type: 'tallies', tallies });
  }

  #endWhenIdle(): void {
    if (!this.#isClosing || this.#running.size + this.#executions.size > 0) return;
    clearInterval(this.#timer);
    clearInterval(this.#loadTimer);
    this.#sendTallies();
    this.#outbox.flush();
    this.#end();
  }

  /** The gateway has closed the port, so nobody waits for running requests. */
  #abandon(): void {
    this.#isClosing = true;
    for (const [, { cancellation }] of this.#running.entries()) cancellation.cancel();
    this.#executions.cancelAll();
    this.#endWhenIdle();
  }
}
