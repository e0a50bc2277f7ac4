/**
 * One worker as the gateway sees it: the port to it, what it has in flight, the plans that it knows.
 * Messages of one event-loop turn travel as one array in one post.
 */
import type { MessagePort } from 'node:worker_threads';
import type { RowsForm } from '../../engine/index.js';
import type {
  ExecutionItem,
  RequestData,
  WorkerReply,
  WorkerRequest,
} from '../../workers/protocol.js';
import type { PlanEntry } from '../plan-cache.js';

/** A plan with its data, as it is to be run. */
export interface Execution {
  readonly entry: PlanEntry;
  readonly data: RequestData;
  readonly form: RowsForm;
}

/** Values of an execution in a message. */
const EXECUTION_ITEMS = 4;
/**
 * This part of what is in flight need not wait for the end of the turn: else all requests travel
 * together, and gateway, worker and database wait for each other instead of working side by side.
 */
const SHARE = 1 / 3;
const SHARE_MIN = 16;

export class WorkerLink {
  /** Requests that the worker has not answered. */
  inFlight = 0;
  readonly knownPlans = new Set<number>();
  readonly #port: MessagePort;
  #outgoing: WorkerRequest[] = [];
  /** The executions of this turn, behind all other messages. */
  #executions: ExecutionItem[] = [];
  #transfers: ArrayBuffer[] = [];
  #scheduled = false;

  constructor(port: MessagePort, onReplies: (replies: readonly WorkerReply[]) => void) {
    this.#port = port;
    port.on('message', onReplies);
  }

  /** Sends a new request: at once to a worker that idles, else with the others of this turn. */
  request(message: WorkerRequest, transfers: readonly ArrayBuffer[] = []): void {
    this.#outgoing.push(message);
    this.#transfers.push(...transfers);
    if (this.inFlight++ === 0) this.#flush();
    else this.#schedule();
  }

  /** Sends an execution like {@link request}; the plan goes along when the worker lacks it. */
  execute(id: number, execution: Execution): void {
    this.#push(id, execution);
    if (this.inFlight++ === 0 || this.#isShare()) this.#flush();
    else this.#schedule();
  }

  /** Whether what waits to be sent is enough for the worker to begin with. */
  #isShare(): boolean {
    const waiting = this.#executions.length / EXECUTION_ITEMS;
    return waiting >= Math.max(SHARE_MIN, this.inFlight * SHARE);
  }

  /** Sends an execution that is in flight once more, with the others of this turn. */
  resend(id: number, execution: Execution): void {
    this.#push(id, execution);
    this.#schedule();
  }

  #push(id: number, { entry: { planId, plan }, form, data }: Execution): void {
    // Bytes are given away, and cannot be sent again to a worker that has dropped the plan.
    if (!this.knownPlans.has(planId) || typeof data === 'object') {
      this.knownPlans.add(planId);
      this.#outgoing.push({ type: 'plan', planId, plan });
    }
    this.#executions.push(id, planId, form === 'compact' ? undefined : form, data);
    if (typeof data === 'object') this.#transfers.push(...buffersOf([data]));
  }

  /** Sends what belongs to a request in flight, with the others of this turn. */
  post(message: WorkerRequest, transfer?: ArrayBuffer): void {
    this.#outgoing.push(message);
    if (transfer !== undefined) this.#transfers.push(transfer);
    this.#schedule();
  }

  /** Takes back an execution of this turn: its cancel would travel before it. Else tells the worker. */
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

  /** Ends the port; nothing is sent or received after it. */
  close(): void {
    this.#outgoing = [];
    this.#executions = [];
    this.#transfers = [];
    this.#port.close();
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

/** The buffers of data that is given away to a worker. */
export function buffersOf(data: readonly RequestData[]): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const each of data) {
    if (typeof each === 'object' && each.buffer instanceof ArrayBuffer) buffers.add(each.buffer);
  }
  return [...buffers];
}
