/** `POST /transaction`: finds the plans of all steps, and runs them together. */
import { requirePlan } from '../access/principal.js';
import type { Call } from '../call.js';
import type { JsonValue } from '../http/body.js';
import type { PlanEntry } from '../plan-cache.js';
import type { QueryRequest } from '../query-request.js';
import { atStep, readTransactionRequest } from '../transaction-request.js';
import { documentFormat } from '../rows-format.js';
import { decodeBody } from './decode-body.js';
import { hold, obtainAll, readJsonBytes } from './read-json.js';
import { transactionOf } from './transaction-order.js';
import { answerWithRows } from './rows-answer.js';

/** `POST /transaction`. */
export function transaction(call: Call): void {
  readJsonBytes(call, (bytes) => decodeBody(call, bytes, (body) => transact(call, body)));
}

function transact(call: Call, body: JsonValue): void {
  const request = readTransactionRequest(body, call.service.configuration, call.scope);
  call.stopwatch?.parsed();
  const format = { ...documentFormat, form: call.pretty ? 'pretty' : 'compact' } as const;
  hold(call, () => {
    withPlans(call, request.steps, (entries) => {
      requirePlans(call, entries);
      call.stopwatch?.planned(entries[0]);
      const order = transactionOf(call, format.form, entries, request);
      const data = request.steps.map((step) => step.data);
      const dispatcher = call.service.large.dispatcherFor(data);
      answerWithRows(call, { format, dispatcher }, (sink) => dispatcher.transact(order, sink));
    });
  });
}

function requirePlans({ principal }: Call, entries: readonly PlanEntry[]): void {
  if (!principal) return;
  for (const [step, { plan }] of entries.entries())
    atStep(step, () => requirePlan(principal, plan));
}

/** Finds the plans of all steps. If several have none, the answer is the problem of the first one. */
function withPlans(
  call: Call,
  requests: readonly QueryRequest[],
  use: (entries: readonly PlanEntry[]) => void,
): void {
  const { sharedPlans } = call.service;
  const obtain: typeof sharedPlans.obtain = (...step) => sharedPlans.obtainOwn(...step);
  obtainAll(call, requests, obtain, (outcomes) => {
    const step = outcomes.findIndex((each) => 'problem' in each);
    const failure = outcomes[step];
    if (failure && 'problem' in failure) {
      call.sendFailure({ ...failure, problem: { ...failure.problem, step } });
    } else use(outcomes.flatMap((each) => ('entry' in each ? [each.entry] : [])));
  });
}
