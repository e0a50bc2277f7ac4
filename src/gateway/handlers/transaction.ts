/** `POST /transaction`, and single queries that run as transactions of one step. */
import { requirePlan } from '../access/principal.js';
import type { Call } from '../call.js';
import type { Failure } from '../dispatcher/sinks.js';
import type { JsonValue } from '../http/body.js';
import { fingerprintOf, ownKey, readIdempotencyKey } from '../idempotency-key.js';
import type { PlanEntry } from '../plan-cache.js';
import type { QueryRequest } from '../query-request.js';
import { atStep, readTransactionRequest, type TransactionRequest } from '../transaction-request.js';
import { documentFormat, type RowsFormat } from '../rows-format.js';
import { decodeBody } from './decode-body.js';
import { contain, hold, readJsonBytes } from './read-json.js';
import { answerWithRows } from './rows-answer.js';

/** `POST /transaction`. */
export function transaction(call: Call): void {
  readJsonBytes(call, (bytes) => decodeBody(call, bytes, (body) => transact(call, body)));
}

function transact(call: Call, body: JsonValue): void {
  const { configuration } = call.service;
  const limits = { ...configuration, stepsMax: configuration.transactionStepsMax };
  const request = readTransactionRequest(body, limits, call.scope);
  const format = { ...documentFormat, form: call.pretty ? 'pretty' : 'compact' } as const;
  hold(call, () => {
    withPlans(call, request.steps, (entries) => {
      requirePlans(call, entries);
      run(call, format, entries, request);
    });
  });
}

function requirePlans({ principal }: Call, entries: readonly PlanEntry[]): void {
  if (!principal) return;
  for (const [step, { plan }] of entries.entries())
    atStep(step, () => requirePlan(principal, plan));
}

/** Executes a single query as a transaction: for an idempotency key, or under its sender's settings. */
export function executeAlone(
  call: Call,
  format: RowsFormat,
  entry: PlanEntry,
  request: QueryRequest,
): void {
  run(call, format, [entry], { steps: [request], isolation: undefined, readOnly: false }, true);
}

function run(
  call: Call,
  format: RowsFormat,
  entries: readonly PlanEntry[],
  { steps: requests, isolation, readOnly }: TransactionRequest,
  isSingle = false,
): void {
  const steps = entries.map((entry, index) => ({ entry, data: requests[index]?.data }));
  const writes = !readOnly && steps.some(({ entry }) => entry.plan.root.write);
  const key = readIdempotencyKey(writes ? call.exchange.headers['idempotency-key'] : '');
  const { method, path } = call.exchange;
  const settings = call.principal?.settings;
  const requestKey = key !== undefined && {
    key: ownKey(key, call.principal),
    fingerprint: fingerprintOf([
      method,
      path,
      requests.map(({ key: { expression, stage, view }, data }) => [expression, data, stage, view]),
      isolation,
      // A stored answer must have the format that the client asks for now.
      format.form === 'lines',
    ]),
  };
  const order = {
    steps,
    readOnly,
    isSingle,
    form: format.form,
    ...(isolation && { isolation }),
    ...(requestKey && { requestKey }),
    ...(settings && { settings }),
  };
  const dispatcher = call.service.large.dispatcherFor(steps.map(({ data }) => data));
  answerWithRows(call, { format, dispatcher }, (sink) => dispatcher.transact(order, sink));
}

type UsePlans = (entries: readonly PlanEntry[]) => void;

/** Finds the plans of all steps. If several have none, the answer is the problem of the first one. */
function withPlans(call: Call, requests: readonly QueryRequest[], use: UsePlans): void {
  const found: (PlanEntry | Failure)[] = [];
  let missing = requests.length;
  const settle = (index: number, outcome: PlanEntry | Failure): void => {
    found[index] = outcome;
    missing -= 1;
    if (missing > 0 || call.exchange.aborted) return;
    const step = found.findIndex((each) => 'problem' in each);
    const failure = found[step];
    if (failure && 'problem' in failure) {
      call.sendFailure({ ...failure, problem: { ...failure.problem, step } });
    } else contain(call, () => use(found.filter((each) => 'plan' in each)));
  };
  for (const [index, { key }] of requests.entries()) {
    call.service.plans.obtain(key, {
      planned: (entry) => settle(index, entry),
      failed: (failure) => settle(index, failure),
    });
  }
}
