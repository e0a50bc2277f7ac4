/** Sends a query to a worker: by itself, or as a transaction if it has an idempotency key or settings. */
import type { RowsForm } from '../../engine/index.js';
import type { Call } from '../call.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import type { AnswerSink } from '../dispatcher/sinks.js';
import type { PlanEntry } from '../plan-cache.js';
import type { QueryRequest } from '../query-request.js';
import { transactionOf } from './transaction-order.js';

/** A query, and the form of its rows. */
export interface QueryToSend {
  readonly entry: PlanEntry;
  readonly request: QueryRequest;
  readonly form: RowsForm;
  /** Its place in a list of queries. */
  readonly index?: number;
}

/** Sends a query to a worker; returns its id. Throws a `Refusal`. */
export function sendQuery(
  call: Call,
  dispatcher: Dispatcher,
  { entry, request, form, index }: QueryToSend,
  sink: AnswerSink,
): number {
  const hasKey = entry.plan.root.write && call.exchange.headers['idempotency-key'] !== '';
  if (!hasKey && call.principal?.settings === undefined) {
    return dispatcher.execute({ entry, data: request.data, form }, sink);
  }
  const single = { steps: [request], isolation: undefined, readOnly: false };
  return dispatcher.transact(transactionOf(call, form, [entry], single, { index }), sink);
}

/** The dispatcher for requests with this data. */
export function dispatcherFor(
  { service: { dispatcher, large } }: Call,
  requests: readonly Pick<QueryRequest, 'data'>[],
): Dispatcher {
  const isLarge = requests.some(({ data }) => typeof data === 'object');
  return isLarge ? large.dispatcherFor(requests.map(({ data }) => data)) : dispatcher;
}
