/** `POST /explain`: what the databases say about the statements of a query. */
import { requirePlan } from '../access/principal.js';
import type { Call } from '../call.js';
import { Refusal } from '../errors.js';
import { asObject, type JsonBody } from '../http/body.js';
import type { PlanEntry } from '../plan-cache.js';
import {
  noTotal,
  optionsObject,
  optionsRefusal,
  type QueryRequest,
  readQueryRequest,
} from '../query-request.js';
import { documentFormat } from '../rows-format.js';
import { decodeBody } from './decode-body.js';
import { planSink, readJsonBytes } from './read-json.js';
import { answerWithRows } from './rows-answer.js';
import { transactionOf } from './transaction-order.js';

export function explain(call: Call): void {
  readJsonBytes(call, (bytes) => {
    decodeBody(call, bytes, (body) => explainBody(call, asObject(body)));
  });
}

function explainBody(call: Call, body: JsonBody): void {
  const { configuration } = call.service;
  const rules = { ...configuration, otherOptions: ['analyze'] };
  const request = readQueryRequest(body, rules, call.scope);
  const { stage } = request.key;
  if (call.service.catalog.stage(stage)?.view !== undefined) {
    const detail = `The stage '${stage}' has a view of its own, and explanations show what it hides.`;
    throw new Refusal('view-forbidden', detail);
  }
  if (request.total) throw noTotal('An explanation');
  const { analyze = false } = optionsObject(body.value['options']);
  if (typeof analyze !== 'boolean') throw optionsRefusal('"analyze" must be true or false.');
  call.stopwatch?.parsed();
  const use = (entry: PlanEntry): void => run(call, entry, request, analyze);
  call.service.sharedPlans.obtainOwn(request, planSink(call, use));
}

function run(call: Call, entry: PlanEntry, request: QueryRequest, analyze: boolean): void {
  const { principal, pretty } = call;
  if (principal) requirePlan(principal, entry.plan);
  call.stopwatch?.planned(entry);
  const single = { steps: [request], isolation: undefined, readOnly: true };
  const form = pretty ? 'pretty' : 'compact';
  const order = {
    ...transactionOf(call, form, [entry], single, { index: undefined }),
    explains: analyze ? 'run' : 'planned',
  } as const;
  const { data } = request;
  const dispatcher = call.service.large.dispatcherFor([data]);
  const place = { format: documentFormat, dispatcher };
  answerWithRows(call, place, (sink) => dispatcher.transact(order, sink));
}
