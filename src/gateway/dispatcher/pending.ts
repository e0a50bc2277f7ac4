/** Requests that a worker has not answered, and what its replies do to them. */
import { assertNever } from '../../engine/index.js';
import type { TransactionOrder, WorkerReply } from '../../workers/protocol.js';
import type {
  AnswerSink,
  CompileSink,
  CountSink,
  Failure,
  ImportSink,
  ProbeSink,
} from './sinks.js';
import type { Execution, WorkerLink } from './worker-link.js';

/** Plans with their data, as they are to be run in one transaction. */
export interface Transaction extends Omit<TransactionOrder, 'steps'> {
  readonly steps: readonly Pick<Execution, 'entry' | 'data'>[];
}

interface PendingOf<Kind extends string, Sink> {
  readonly kind: Kind;
  readonly link: WorkerLink;
  readonly sink: Sink;
}

export interface PendingExecution extends PendingOf<'execute', AnswerSink> {
  readonly execution: Execution;
  /** Whether the worker has already been sent the plan again. */
  resent: boolean;
}

export interface PendingTransaction extends PendingOf<'transaction', AnswerSink> {
  readonly transaction: Transaction;
  /** Whether the worker has already been sent the plans again. */
  resent: boolean;
}

export interface PendingImport extends PendingOf<'import', ImportSink> {
  /** Bytes that were sent and not yet used. */
  underway: number;
  /** So many may be underway before the sender has to wait. */
  readonly windowBytes: number;
}

export type Pending =
  | PendingOf<'compile', CompileSink>
  | PendingExecution
  | PendingTransaction
  | PendingImport
  | PendingOf<'export', AnswerSink>
  | PendingOf<'probe', ProbeSink>
  | PendingOf<'count', CountSink>;

/** Whole answers that came together. */
export type WholeReplies = Extract<WorkerReply, { readonly type: 'answers' }>;

/** A reply to one request. */
export type SingleReply = Exclude<WorkerReply, WholeReplies | { readonly type: 'pace' }>;

/** Whether this reply is the last of its request. */
export function endsRequest(reply: SingleReply): boolean {
  switch (reply.type) {
    case 'part':
      return reply.last;
    case 'taken':
    case 'planMissing':
      return false;
    default:
      return true;
  }
}

/** Hands a reply on to its sink; a reply that does not fit its request is a fault of the worker. */
export function settle(pending: Pending, reply: SingleReply): void {
  if (reply.type === 'failed') {
    pending.sink.failed({ problem: reply.problem, stack: reply.stack });
    return;
  }
  switch (pending.kind) {
    case 'execute':
    case 'transaction':
    case 'export':
      if (reply.type === 'part') pending.sink.part(reply.bytes, reply.last);
      else pending.sink.failed(unfit(pending, reply));
      return;
    case 'compile':
      if (reply.type === 'compiled') pending.sink.compiled(reply.plan);
      else pending.sink.failed(unfit(pending, reply));
      return;
    case 'import':
      if (reply.type === 'imported') pending.sink.imported(reply.counts, reply.ignored);
      else if (reply.type === 'taken') takeImported(pending, reply.bytes);
      else pending.sink.failed(unfit(pending, reply));
      return;
    case 'probe':
      if (reply.type === 'probed') pending.sink.probed(reply.ok);
      else pending.sink.failed(unfit(pending, reply));
      return;
    case 'count':
      if (reply.type === 'counted') pending.sink.counted(reply.batching);
      else pending.sink.failed(unfit(pending, reply));
      return;
    default:
      assertNever(pending);
  }
}

/** Hands a whole answer on to its sink. */
export function settleWhole(pending: Pending, bytes: Uint8Array): void {
  if (takesRows(pending)) pending.sink.whole(bytes);
  else pending.sink.failed(unfit(pending, { type: 'answers' }));
}

type PendingRows = Extract<Pending, { readonly kind: 'execute' | 'transaction' | 'export' }>;

function takesRows(pending: Pending): pending is PendingRows {
  return pending.kind === 'execute' || pending.kind === 'transaction' || pending.kind === 'export';
}

function takeImported(pending: PendingImport, bytes: number): void {
  pending.underway -= bytes;
  if (pending.underway < pending.windowBytes) pending.sink.ready();
}

function unfit(pending: Pending, reply: Pick<WorkerReply, 'type'>): Failure {
  return {
    problem: { code: 'internal', detail: 'The worker gave an unfitting answer.' },
    stack: `a ${pending.kind} was answered by ${reply.type}`,
  };
}
