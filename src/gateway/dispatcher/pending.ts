/** Requests that a worker has not answered, and what its replies do to them. */
import type { TransactionOrder, WorkerReply, WorkerRequest } from '../../workers/protocol.js';
import type { Failure, Sink } from './sinks.js';
import type { Execution, WorkerLink } from './worker-link.js';

/** Plans with their data, as they are to be run in one transaction. */
export interface Transaction extends Omit<TransactionOrder, 'steps'> {
  readonly steps: readonly Pick<Execution, 'entry' | 'data'>[];
}

export interface Pending {
  readonly link: WorkerLink;
  readonly sink: Sink;
  /** What is sent once more to a worker that no longer holds its plans. */
  readonly order: Execution | Transaction | undefined;
  /** Whether it has been sent once more. */
  resent: boolean;
  /** Bytes of a body that were sent and not yet used. */
  underway: number;
}

/** Whole answers that came together. */
export type WholeReplies = Extract<WorkerReply, { readonly type: 'answers' }>;

/** A reply to one request. */
type SingleReply = Exclude<WorkerReply, { readonly type: 'answers' | 'estimate' | 'taken' }>;

/** Whether this reply is the last of its request. */
export function endsRequest(reply: SingleReply): boolean {
  return reply.type !== 'part' || reply.last;
}

/** Hands a reply on to its sink; a reply that does not fit its request is a fault of the worker. */
export function settle(sink: Sink, reply: SingleReply): void {
  switch (reply.type) {
    case 'failed':
      return sink.failed({ problem: reply.problem, stack: reply.stack });
    case 'part':
      if (sink.part) return sink.part(reply.bytes, reply.last);
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
      if (sink.probed) return sink.probed(reply.ok);
      break;
    case 'counted':
      if (sink.counted) return sink.counted(reply.batching);
      break;
    default:
  }
  sink.failed(unfit(reply.type));
}

/** Hands a whole answer on to its sink. */
export function settleWhole(sink: Sink, bytes: Uint8Array): void {
  if (sink.whole) sink.whole(bytes);
  else sink.failed(unfit('answers'));
}

function unfit(reply: WorkerReply['type']): Failure {
  return {
    problem: { code: 'internal', detail: 'The worker gave an unfitting answer.' },
    stack: `the worker answered by ${reply}`,
  };
}

/** The message; the plans that it carries join those that are known. */
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
