/**
 * One worker as the gateway sees it: its port, its requests in flight, and the plans that it knows.
 * Messages of one event-loop iteration travel as one array in one post.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { RowsForm } from '../../engine/index.js';
import type {
  ExecutionItem,
  RequestData,
  WorkerReply,
  WorkerReport,
  WorkerRequest,
} from '../../workers/protocol.js';
import type { PlanEntry } from '../plan-cache.js';
import type { Sink } from './sinks.js';

export interface Execution {
  readonly entry: PlanEntry;
  readonly data: RequestData;
  readonly form: RowsForm;
}

/** Values for each execution in a message. */
const EXECUTION_ITEMS = 4;
/**
 * When this share of the requests in flight is waiting, it is sent at once. Otherwise all requests would
 * travel together, and gateway, worker and database would wait for each other instead of working in
 * parallel.
 */
const SHARE = 1 / 3;
const SHARE_MIN = 16;
/**
 * The most answers that are passed on in one iteration of the event loop, or a quarter of the waiting
 * replies, if that is more. Otherwise the worker and the database would be idle until all answers are
 * written and the next requests are read.
 */
const ANSWERS_MAX = 32;

interface Received {
  readonly message: readonly WorkerReply[];
}

export interface LinkOptions {
  /** Receives the replies in their order. Of several answers, it receives those from `from` up to `to`. */
  readonly onReply: (reply: WorkerReply, from: number, to: number) => void;
  readonly end: WorkerLink['end'];
}

export class WorkerLink {
  /** Requests that the worker has not answered. */
  inFlight = 0;
  /** How much of the worker is used, as last reported. */
  load = 0;
  /** What it has reported last. */
  report: WorkerReport | undefined;
  /** The plans of which no request was answered yet, and since when they run, by `performance.now()`. */
  readonly newPlans = new Map<number, number>();
  /** For the watchdog: the number of checks since the worker last sent anything. */
  silentLooks = 0;
  /** Whether the worker has sent anything yet. */
  hasStarted = false;
  readonly knownPlans = new Set<number>();
  /** The memory of the worker's answers. */
  readonly answers: Uint8Array<SharedArrayBuffer>;
  readonly #released: Int32Array<SharedArrayBuffer>;
  readonly #port: MessagePort;
  #outgoing: WorkerRequest[] = [];
  /** The executions of this iteration, which are sent after all other messages. */
  #executions: ExecutionItem[] = [];
  #transfers: ArrayBuffer[] = [];
  #scheduled = false;
  #isGathering = false;
  readonly #onReply: LinkOptions['onReply'];
  /** The replies that were not passed on, and how many answers of the first one were. */
  #replies: WorkerReply[] = [];
  #passed = 0;
  /** Whether this iteration of the event loop has passed on replies. */
  #hasPassed = false;

  /** Ends the thread for this reason. */
  readonly end: (reason: Error) => void;

  constructor(port: MessagePort, memory: SharedArrayBuffer, { onReply, end }: LinkOptions) {
    this.#port = port;
    this.#onReply = onReply;
    this.answers = new Uint8Array(memory);
    this.#released = new Int32Array(memory, 0, 1);
    this.end = end;
    port.on('message', (replies: readonly WorkerReply[]) => {
      this.silentLooks = 0;
      this.hasStarted = true;
      this.#replies.push(...replies);
      if (!this.#hasPassed) this.#passOn();
    });
  }

  /** Sends a new request: at once to an idle worker, otherwise at the end of this iteration. */
  request(message: WorkerRequest, transfers: readonly ArrayBuffer[] = []): void {
    this.#outgoing.push(message);
    this.#transfers.push(...transfers);
    if (this.inFlight++ === 0) this.#flush();
    else this.#schedule();
  }

  /** Sends an execution like {@link request}, with its plan if the worker lacks it. */
  execute(id: number, execution: Execution): void {
    this.#push(id, execution);
    if (this.#isGathering) this.inFlight++;
    else if (this.inFlight++ === 0 || this.#isShare()) this.#flush();
    else this.#schedule();
  }

  /** Sends the special properties of an execution, which follows. */
  mark(id: number, { isTimed = false, comment }: Sink): void {
    if (isTimed || comment !== undefined) this.post({ type: 'mark', id, isTimed, comment });
  }

  /** Until {@link sendGathered}, executions are collected to travel in one message. */
  gather(): void {
    this.#isGathering = true;
  }

  sendGathered(): void {
    this.#isGathering = false;
    this.#flush();
  }

  /** Whether enough requests are waiting for the worker to start on them. */
  #isShare(): boolean {
    const waiting = this.#executions.length / EXECUTION_ITEMS;
    return waiting >= Math.max(SHARE_MIN, this.inFlight * SHARE);
  }

  /** Sends an execution in flight again, at the end of this iteration. */
  resend(id: number, execution: Execution): void {
    this.#push(id, execution);
    this.#schedule();
  }

  #push(id: number, { entry: { planId, plan }, form, data }: Execution): void {
    // Transferred bytes cannot be sent again to a worker that has dropped the plan.
    if (!this.knownPlans.has(planId) || typeof data === 'object') {
      this.knownPlans.add(planId);
      this.#outgoing.push({ type: 'plan', planId, plan });
    }
    this.#executions.push(id, planId, form === 'compact' ? undefined : form, data);
    if (typeof data === 'object') this.#transfers.push(...buffersOf([data]));
  }

  /** Posts a message for a request in flight, at the end of this iteration. */
  post(message: WorkerRequest, transfer?: ArrayBuffer): void {
    this.#outgoing.push(message);
    if (transfer !== undefined) this.#transfers.push(transfer);
    this.#schedule();
  }

  /** An execution that has not been sent is removed: its cancellation would travel before it. */
  cancel(id: number): void {
    if (!this.#takeBack(id)) this.post({ type: 'cancel', id });
  }

  #takeBack(id: number): boolean {
    for (let at = 0; at < this.#executions.length; at += EXECUTION_ITEMS) {
      if (this.#executions[at] !== id) continue;
      this.#executions.splice(at, EXECUTION_ITEMS);
      return true;
    }
    return false;
  }

  /** Lets the worker reuse the memory of the oldest answers. */
  releaseAnswers(): void {
    Atomics.add(this.#released, 0, 1);
  }

  /** Receives what the worker has sent before it ended. */
  receiveRest(): void {
    for (;;) {
      const received: Received | undefined = receiveMessageOnPort(this.#port);
      if (received === undefined) return;
      this.#replies.push(...received.message);
    }
  }

  /** Passes on everything that was received. */
  passOnAll(): void {
    this.#pass(Number.POSITIVE_INFINITY);
  }

  /** Closes the port; nothing is sent or received after it. */
  close(): void {
    this.#outgoing = [];
    this.#executions = [];
    this.#transfers = [];
    this.#port.close();
  }

  #passOn(): void {
    this.#pass(Math.max(ANSWERS_MAX, this.#replies.length >> 2));
    this.#hasPassed = true;
    setImmediate(() => {
      this.#hasPassed = false;
      if (this.#replies.length > 0) this.#passOn();
    });
  }

  /** Passes on at most this many replies and answers. */
  #pass(most: number): void {
    let room = most;
    let ended = 0;
    for (const reply of this.#replies) {
      if (room <= 0) break;
      const count = reply.type === 'answers' ? reply.ids.length : 1;
      const from = this.#passed;
      const to = Math.min(count, from + room);
      room -= to - from;
      this.#passed = to === count ? 0 : to;
      this.#onReply(reply, from, to);
      if (to < count) break;
      ended += 1;
    }
    this.#replies = ended === this.#replies.length ? [] : this.#replies.slice(ended);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#executions.length > 0) {
      this.#outgoing.push({ type: 'executions', items: this.#executions });
      this.#executions = [];
    }
    if (this.#outgoing.length === 0) return;
    const messages = this.#outgoing;
    const transfers = this.#transfers;
    this.#outgoing = [];
    if (transfers.length > 0) this.#transfers = [];
    this.#port.postMessage(messages, transfers);
  }
}

/** The buffers of data that is transferred to a worker. */
export function buffersOf(data: readonly RequestData[]): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const each of data) {
    if (typeof each === 'object' && each.buffer instanceof ArrayBuffer) buffers.add(each.buffer);
  }
  return [...buffers];
}
