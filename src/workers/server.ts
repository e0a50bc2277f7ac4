/** One worker at work: takes the gateway's messages from its port, runs them, and replies. */
import { performance } from 'node:perf_hooks';
import type { MessagePort } from 'node:worker_threads';
import {
  assertNever,
  invariant,
  NumberedTable,
  type OutputBytes,
  type RowsForm,
} from '../engine/index.js';
import type { Context } from './context.js';
import { Answer } from './execution/answer.js';
import { type CancellationLever, createCancellation } from './execution/cancellation.js';
import { RequestBody } from './execution/request-body.js';
import { Outbox } from './outbox.js';
import { toFailure } from './problems.js';
import { createLaneCounters } from './lanes/lane-counters.js';
import { Lanes } from './lanes/lanes.js';
import { type Answers, Member } from './lanes/member.js';
import type { ReadyPlan } from './plans.js';
import type {
  ExecutionItem,
  LaneCounters,
  TransactionOrder,
  WorkerReply,
  WorkerRequest,
} from './protocol.js';
import { compile } from './tasks/compile.js';
import { execute, readData } from './tasks/execute.js';
import { exportStage } from './tasks/export.js';
import { importStage } from './tasks/import.js';
import { probe } from './tasks/probe.js';
import { runTransaction } from './tasks/transaction.js';
import { write } from './tasks/write.js';

/** A request that runs, and what its later messages act on. */
interface Running {
  readonly id: number;
  readonly cancellation: CancellationLever;
  /** The rows that a request answers with. */
  readonly answer: Answer;
  /** What follows a request: the document of an import. */
  readonly body: RequestBody;
}

/** An execution as the gateway asks for it. */
interface Execution {
  readonly id: number;
  readonly planId: number;
  readonly form: RowsForm;
  readonly data: string | undefined;
  /** When it came, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** The same by `performance.now()`. */
  readonly joinedAt: number;
}

/** Runs a request; resolves to its reply, or to nothing when the answer holds it. */
type Task = (running: Running) => Promise<WorkerReply | undefined>;

export class Server {
  readonly #context: Context;
  readonly #outbox: Outbox;
  readonly #running = new NumberedTable<Running>();
  /** Requests that wait or run in a lane. */
  readonly #members = new NumberedTable<Member>();
  /** Absent when each request runs by itself. */
  readonly #lanes: Lanes | undefined;
  #isClosing = false;
  #end: () => void = () => undefined;
  /** Resolves when the worker was told to close, and all is finished. */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  constructor(port: MessagePort, context: Context) {
    this.#context = context;
    this.#outbox = new Outbox(port, () => this.#countUnanswered());
    const { settings, sources } = context;
    const host = {
      answer: (member: Member, write: (out: OutputBytes) => void) =>
        this.#answerMember(member, write),
      answerAll: (answers: Answers) => this.#answerAll(answers),
      send: (isBrief: boolean) => this.#outbox.flush(isBrief),
      failed: (member: Member, error: unknown) => this.#failMember(member, error),
      runAlone: (member: Member, ready: ReadyPlan, onStart: () => void) =>
        this.#runMember(member, ready, onStart),
    };
    const { rowsMax } = settings;
    this.#lanes = settings.lanes ? new Lanes({ sources, rowsMax, host }) : undefined;
    port.on('message', (requests: readonly WorkerRequest[]) => {
      for (const request of requests) this.#take(request);
      context.plans.settle();
    });
    port.on('close', () => this.#abandon());
  }

  #countUnanswered(): number {
    return this.#running.size + this.#members.size;
  }

  /** What lanes have done so far; undefined where there are none. */
  get laneCounters(): LaneCounters | undefined {
    return this.#lanes?.counters;
  }

  /** Answers whatever runs with this fault: the thread is about to end. */
  failAll(error: unknown): void {
    for (const [id] of [...this.#running.entries(), ...this.#members.entries()]) {
      this.#outbox.send({ type: 'failed', id, ...toFailure(error) });
    }
    this.#running.clear();
    this.#members.clear();
    this.#outbox.flush();
  }

  #take(request: WorkerRequest): void {
    switch (request.type) {
      case 'compile':
        return this.#run(request.id, async ({ id }) => {
          return { type: 'compiled', id, plan: compile(this.#context, request) };
        });
      case 'plan':
        this.#context.plans.put(request.planId, request.plan);
        return;
      case 'executions':
        return this.#executeAll(request.items);
      case 'transaction':
        return this.#transact(request.id, request.order);
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
        return this.#running.get(request.id)?.answer.credit(request.bytes, request.buffer);
      case 'count':
        return this.#outbox.send({
          type: 'counted',
          id: request.id,
          lanes: { ...(this.laneCounters ?? createLaneCounters()) },
        });
      case 'cancel':
        return this.#cancel(request.id);
      case 'close':
        this.#isClosing = true;
        return this.#endWhenIdle();
      default:
        return assertNever(request);
    }
  }

  #executeAll(items: readonly ExecutionItem[]): void {
    const receivedAt = Date.now();
    const joinedAt = performance.now();
    let lastId: number | undefined;
    let ready: ReadyPlan | undefined;
    for (let at = 0; at < items.length; at += 4) {
      const [id, planId, form, data] = [items[at], items[at + 1], items[at + 2], items[at + 3]];
      invariant(typeof id === 'number' && typeof planId === 'number', 'an execution has its ids');
      const text = typeof data === 'string' ? data : undefined;
      // Requests of one plan come in runs.
      if (planId !== lastId) ready = this.#context.plans.get(planId);
      lastId = planId;
      const execution = { id, planId, form: formOf(form), data: text, receivedAt, joinedAt };
      if (ready) this.#execute(execution, ready);
      else this.#outbox.send({ type: 'planMissing', id });
    }
  }

  #transact(id: number, order: TransactionOrder): void {
    const { plans } = this.#context;
    const instant = new Date().toISOString();
    const steps = order.steps.flatMap(({ planId, plan, data }) => {
      if (plan) plans.put(planId, plan);
      const ready = plans.get(planId);
      return ready ? [{ planId, ready, data }] : [];
    });
    if (steps.length < order.steps.length) return this.#outbox.send({ type: 'planMissing', id });
    this.#run(id, async ({ answer, cancellation }) => {
      const { readOnly, isolation, isSingle, requestKey, form } = order;
      const mode = { readOnly, isolation };
      const task = { steps, mode, isSingle, requestKey, form, instant, answer, cancellation };
      await runTransaction(this.#context, task);
      return undefined;
    });
  }

  #execute(execution: Execution, ready: ReadyPlan): void {
    const { id, planId, form, data, receivedAt } = execution;
    if (ready.plan.root.write) {
      return this.#run(id, async ({ answer, cancellation }) => {
        const instant = new Date(receivedAt).toISOString();
        await write(this.#context, { ...execution, instant, ready, answer, cancellation });
        return undefined;
      });
    }
    try {
      const instant = ready.asksTime ? new Date(receivedAt).toISOString() : undefined;
      const values = readData(ready, data, instant);
      if (this.#lanes && ready.plan.lane && values.variant.length === 0) {
        const member = new Member(id, values, form, execution.joinedAt);
        this.#members.add(id, member);
        this.#lanes.join(ready, member);
      } else {
        this.#run(id, async ({ answer, cancellation }) => {
          const task = { planId, ready, values, form, answer, cancellation };
          await execute(this.#context, { ...task, data, receivedAt });
          return undefined;
        });
      }
    } catch (error) {
      this.#outbox.send({ type: 'failed', id, ...toFailure(error) });
    }
  }

  /** A member of a lane that runs by itself is a request like others. */
  #runMember(member: Member, ready: ReadyPlan, onStart: () => void): Promise<boolean> {
    const { id, values, form } = member;
    if (!this.#members.take(id)) return Promise.resolve(true);
    return new Promise((resolve) => {
      this.#run(id, async ({ answer, cancellation }) => {
        if (member.isCancelled) cancellation.cancel();
        const task = { planId: 0, ready, values, form, answer, cancellation, onStart };
        await execute(this.#context, task).finally(() => resolve(!answer.hasLeft));
        return undefined;
      });
    });
  }

  #answerMember(member: Member, write: (out: OutputBytes) => void): void {
    const { id } = member;
    if (!this.#members.take(id)) return;
    try {
      this.#outbox.writeWhole(id, write);
    } catch (error) {
      this.#members.add(id, member);
      throw error;
    }
    this.#endWhenIdle();
  }

  /** Members that were answered otherwise meanwhile have answers that the gateway knows no request for. */
  #answerAll({ members, ends, bytes }: Answers): void {
    const ids: number[] = [];
    for (const { id } of members) {
      this.#members.take(id);
      ids.push(id);
    }
    this.#outbox.sendAll(ids, ends, bytes);
    this.#endWhenIdle();
  }

  #failMember({ id }: Member, error: unknown): void {
    if (!this.#members.take(id)) return;
    this.#outbox.send({ type: 'failed', id, ...toFailure(error) });
    this.#endWhenIdle();
  }

  #cancel(id: number): void {
    this.#members.get(id)?.cancel();
    this.#running.get(id)?.cancellation.cancel();
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
    this.#running.add(id, running);
    void task(running).then(
      (reply) => this.#finish(running, reply),
      (error: unknown) => this.#finish(running, { type: 'failed', id, ...toFailure(error) }),
    );
  }

  /** A request that is no longer counted as running has its reply sent at once, if it was the last. */
  #finish(running: Running, reply: WorkerReply | undefined): void {
    if (!this.#running.take(running.id)) return;
    if (reply) this.#outbox.send(reply);
    else running.answer.end();
    this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    if (!this.#isClosing || this.#countUnanswered() > 0) return;
    this.#outbox.flush();
    this.#end();
  }

  /** The gateway has closed the port: nobody waits for what runs. */
  #abandon(): void {
    this.#isClosing = true;
    for (const [, { cancellation }] of this.#running.entries()) cancellation.cancel();
    for (const [, member] of this.#members.entries()) member.cancel();
    this.#endWhenIdle();
  }
}

function formOf(item: ExecutionItem): RowsForm {
  return item === 'pretty' || item === 'lines' || item === 'csv' ? item : 'compact';
}
