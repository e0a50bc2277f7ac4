/** One worker at work: takes the gateway's messages from its port, runs them, and replies. */
import type { MessagePort } from 'node:worker_threads';
import { assertNever } from '../engine/index.js';
import type { Context } from './context.js';
import { Answer } from './execution/answer.js';
import { type CancellationLever, createCancellation } from './execution/cancellation.js';
import { RequestBody } from './execution/request-body.js';
import { Outbox } from './outbox.js';
import { toFailure } from './problems.js';
import type { WorkerReply, WorkerRequest } from './protocol.js';
import { compile } from './tasks/compile.js';
import { execute } from './tasks/execute.js';
import { exportStage } from './tasks/export.js';
import { importStage } from './tasks/import.js';
import { probe } from './tasks/probe.js';

/** A request that runs, and what its later messages act on. */
interface Running {
  readonly id: number;
  readonly cancellation: CancellationLever;
  /** The rows that a request answers with. */
  readonly answer: Answer;
  /** What follows a request: the document of an import. */
  readonly body: RequestBody;
}

/** Runs a request; resolves to its reply, or to nothing when the answer holds it. */
type Task = (running: Running) => Promise<WorkerReply | undefined>;

export class Server {
  readonly #context: Context;
  readonly #outbox: Outbox;
  readonly #running = new Map<number, Running>();
  #isClosing = false;
  #end: () => void = () => undefined;
  /** Resolves when the worker was told to close, and all is finished. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  constructor(port: MessagePort, context: Context) {
    this.#context = context;
    this.#outbox = new Outbox(port, () => this.#running.size === 0);
    port.on('message', (requests: readonly WorkerRequest[]) => {
      for (const request of requests) this.#take(request);
    });
    port.on('close', () => this.#abandon());
  }

  /** Answers whatever runs with this fault: the thread is about to end. */
  failAll(error: unknown): void {
    for (const id of this.#running.keys()) {
      this.#outbox.send({ type: 'failed', id, ...toFailure(error) });
    }
    this.#running.clear();
    this.#outbox.flush();
  }

  #take(request: WorkerRequest): void {
    switch (request.type) {
      case 'compile':
        return this.#run(request.id, async ({ id }) => {
          return { type: 'compiled', id, plan: compile(this.#context, request) };
        });
      case 'execute':
        return this.#execute(request);
      case 'probe':
        return this.#run(request.id, async ({ id }) => {
          return { type: 'probed', id, ok: await probe(this.#context, request) };
        });
      case 'import':
        return this.#run(request.id, ({ body, cancellation }) =>
          importStage(this.#context, { ...request, body, cancellation }),
        );
      case 'export':
        return this.#run(request.id, ({ answer, cancellation }) =>
          exportStage(this.#context, { ...request, answer, cancellation }),
        );
      case 'chunk':
        return this.#running.get(request.id)?.body.push(request.bytes, request.last);
      case 'credit':
        return this.#running.get(request.id)?.answer.credit(request.bytes);
      case 'cancel':
        return this.#running.get(request.id)?.cancellation.cancel();
      case 'close':
        this.#isClosing = true;
        return this.#endWhenIdle();
      default:
        return assertNever(request);
    }
  }

  #execute(request: ExecuteRequest): void {
    const { id, planId, plan } = request;
    const { plans } = this.#context;
    const ready = plan ? plans.put(planId, plan) : plans.get(planId);
    if (!ready) return this.#outbox.send({ type: 'planMissing', id });
    return this.#run(id, async ({ answer, cancellation }) => {
      await execute(this.#context, { ...request, ready, answer, cancellation });
      return undefined;
    });
  }

  #run(id: number, task: Task): void {
    const cancellation = createCancellation();
    const taken = (bytes: number): void => this.#outbox.send({ type: 'taken', id, bytes });
    const running = {
      id,
      cancellation,
      answer: new Answer(id, this.#outbox, this.#context.settings.streamWindowBytes),
      body: new RequestBody(cancellation, taken),
    };
    this.#running.set(id, running);
    void task(running).then(
      (reply) => this.#finish(running, reply),
      (error: unknown) => this.#finish(running, { type: 'failed', id, ...toFailure(error) }),
    );
  }

  /** A request that is no longer counted as running has its reply sent at once, if it was the last. */
  #finish(running: Running, reply: WorkerReply | undefined): void {
    if (!this.#running.delete(running.id)) return;
    if (reply) this.#outbox.send(reply);
    else running.answer.end();
    this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    if (!this.#isClosing || this.#running.size > 0) return;
    this.#outbox.flush();
    this.#end();
  }

  /** The gateway has closed the port: nobody waits for what runs. */
  #abandon(): void {
    this.#isClosing = true;
    for (const { cancellation } of this.#running.values()) cancellation.cancel();
    this.#endWhenIdle();
  }
}

type ExecuteRequest = Extract<WorkerRequest, { readonly type: 'execute' }>;
