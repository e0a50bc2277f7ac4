/**
 * Sends a query to a worker: by itself, or as a transaction if it has an idempotency key, or its sender has
 * settings or limits.
 */
import { runsApart } from '../access/principal.js';
import type { RequestData } from '../../workers/protocol.js';
import type { Call } from '../call.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import type { AnswerSink } from '../dispatcher/sinks.js';
import type { Execution } from '../dispatcher/worker-link.js';
import type { QueryRequest } from '../query-request.js';
import { transactionOf } from './transaction-order.js';

export interface QueryToSend extends Execution {
  readonly request: QueryRequest;
  /** Its place in a list of queries. */
  readonly index?: number;
}

/** Sends a query to a worker; returns its id. Throws a `Refusal`. */
export function sendQuery(
  call: Call,
  dispatcher: Dispatcher,
  query: QueryToSend,
  sink: AnswerSink,
): number {
  const { entry, request, form, index } = query;
  const hasKey = entry.plan.root.write && call.exchange.headers['idempotency-key'] !== '';
  if (!hasKey && !runsApart(call.principal)) return dispatcher.execute(query, sink);
  const single = { steps: [request], isolation: undefined, readOnly: false };
  return dispatcher.transact(transactionOf(call, form, [entry], single, { index }), sink);
}

export function dispatcherFor({ service }: Call, data: RequestData): Dispatcher {
  return typeof data === 'object' ? service.large.dispatcherFor([data]) : service.dispatcher;
}
