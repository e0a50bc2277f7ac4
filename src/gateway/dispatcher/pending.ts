/** Requests that a worker has not answered, and how its replies are handled. */
import type {
  Timing,
  TransactionOrder,
  WorkerReply,
  WorkerRequest,
} from '../../workers/protocol.js';
import type { Failure, Sink } from './sinks.js';
import type { Execution, WorkerLink } from './worker-link.js';

/** Plans with their data, to be run in one transaction. */
export interface Transaction extends Omit<TransactionOrder, 'steps'> {
  readonly steps: readonly Pick<Execution, 'entry' | 'data'>[];
}

/** Requests that any worker can answer. */
export type Question = Without<
  'id',
  Extract<WorkerRequest, { readonly type: 'body' | 'compile' | 'export' | 'probe' | 'import' }>
>;
type Without<Name extends string, Of> = Of extends unknown ? Omit<Of, Name> : never;

export interface Pending {
  readonly link: WorkerLink;
  readonly sink: Sink;
  /** What must be sent again to a worker that no longer has the plans. */
  readonly order: Execution | Transaction | undefined;
  /** Whether its answer has a time limit. Streamed answers, imports and exports have none. */
  hasLimit: boolean;
  /** Whether it was sent a second time. */
  resent: boolean;
  /** Bytes of a body that were sent but not used yet. */
  underway: number;
  /** Whether all of its body was sent: from then on, an import may be stored. */
  hasBody: boolean;
  /** When it arrived, by `performance.now()`; of executions and transactions. */
  readonly startedAt: number;
  /** Where its time went, if that was measured. */
  timing: Timing | undefined;
}

/** A request that was just sent. */
export function newPending(
  link: WorkerLink,
  sink: Sink,
  order: Pending['order'],
  hasLimit: boolean,
): Pending {
  const startedAt = order === undefined ? 0 : (sink.startedAt ?? performance.now());
  const body = { underway: 0, hasBody: false };
  return { link, sink, order, hasLimit, resent: false, ...body, startedAt, timing: undefined };
}

/** Several whole answers in one message. */
export type WholeReplies = Extract<WorkerReply, { readonly type: 'answers' }>;

/** What a worker sends about one request. */
export type RequestReply = Exclude<
  WorkerReply,
  { readonly type: 'answers' | 'estimate' | 'hello' | 'load' | 'tallies' }
>;

/** A reply to one request. */
type SingleReply = Exclude<RequestReply, { readonly type: 'taken' | 'timing' }>;

/** Whether this is the last reply to its request. */
export function endsRequest(reply: SingleReply): boolean {
  return reply.type !== 'part' || reply.last;
}

/** The rows that a reply contains, or that its request has stored. */
export function rowsIn(reply: SingleReply): number {
  if (reply.type === 'imported') return reply.counts.reduce((sum, { rows }) => sum + rows, 0);
  return reply.type === 'part' || reply.type === 'page' ? reply.rows : 0;
}

/** Passes a reply to its sink; a reply that does not fit its request is an error of the worker. */
export function settle(sink: Sink, reply: SingleReply): void {
  switch (reply.type) {
    case 'failed':
      return sink.failed({ problem: reply.problem, stack: reply.stack });
    case 'part':
      if (sink.part) return sink.part(reply.bytes, reply.last);
      break;
    case 'page':
      if (sink.whole) return sink.whole(reply.bytes, reply.next);
      break;
    case 'compiled':
      if (sink.compiled) return sink.compiled(reply.plan);
      break;
    case 'split':
      if (sink.split) return sink.split(reply);
      break;
    case 'imported':
      if (sink.imported) return sink.imported(reply.counts, reply.ignored);
      break;
    case 'probed':
      if (sink.probed) return sink.probed(reply.ok, reply.readOnly, reply.sources);
      break;
    case 'counted':
      if (sink.counted) return sink.counted(reply.report);
      break;
    default:
  }
  sink.failed(unfit(reply.type));
}

/** Passes a whole answer, which is a part of `bytes`, to its sink. */
export function settleWhole(sink: Sink, bytes: Uint8Array, start: number, end: number): void {
  if (sink.slice) sink.slice(bytes, start, end);
  else if (sink.whole) {
    sink.whole(new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start));
  } else sink.failed(unfit('answers'));
}

function unfit(reply: WorkerReply['type']): Failure {
  return {
    problem: { code: 'internal', detail: 'The worker sent a reply that does not fit the request.' },
    stack: `the worker answered by ${reply}`,
  };
}

/** The message for a transaction; the plans that it contains are added to those that the worker knows. */
export function transactionMessage(
  id: number,
  { steps, ...order }: Transaction,
  knownPlans: Set<number>,
): WorkerRequest {
  const stepOrders = steps.map(({ entry: { planId, plan }, data }) => {
    if (knownPlans.has(planId)) return { planId, data };
    knownPlans.add(planId);
    return { planId, plan, data };
  });
  return { type: 'transaction', id, order: { ...order, steps: stepOrders } };
}

/** Sends a request again, once, to its worker, which no longer has the plan. */
export function sendAgain(id: number, pending: Pending): boolean {
  const { order, link } = pending;
  if (order === undefined || pending.resent) return false;
  pending.resent = true;
  if ('steps' in order) {
    for (const { entry } of order.steps) link.knownPlans.delete(entry.planId);
    link.post(transactionMessage(id, order, link.knownPlans));
  } else {
    link.knownPlans.delete(order.entry.planId);
    link.mark(id, pending.sink);
    link.resend(id, order);
  }
  return true;
}

/** Whether sending it again could store rows twice. `readsMayWrite`: listeners of the schema write when rows are read. */
export function mayHaveWritten({ order, hasBody }: Pending, readsMayWrite: boolean): boolean {
  if (order === undefined) return hasBody;
  if (!('steps' in order)) return isWrite(order) || (readsMayWrite && !order.entry.plan.isTotal);
  if (order.requestKey !== undefined || order.explains !== undefined) return false;
  return readsMayWrite || order.steps.some(isWrite);
}

/** Like reads, the writes of a plan stay on one worker: those that wait at the same time share a commit. */
export function isWrite({ entry }: Pick<Execution, 'entry'>): boolean {
  return entry.plan.root.write !== undefined;
}

/** Whether such a request may last as long as its client reads or sends. */
export function isOpenEnded(type: WorkerRequest['type']): boolean {
  return type === 'import' || type === 'export';
}
