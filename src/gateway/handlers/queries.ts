/** The query endpoints: all of them find the plan; five describe it, one executes it. */
import {
  type CompiledQuery,
  describeConstraints,
  describeMetadata,
  describeModel,
  describeParameters,
  describePlan,
  type StatementPlan,
} from '../../engine/index.js';
import { type Principal, requirePlan } from '../access/principal.js';
import type { Call } from '../call.js';
import { asObject, type JsonBody } from '../http/body.js';
import type { Header } from '../http/exchange.js';
import type { AnswerSink } from '../dispatcher/sinks.js';
import type { PlanEntry, PlanKey } from '../plan-cache.js';
import { noTotal, type QueryRequest, readQueryRequest } from '../query-request.js';
import type { RequestData } from '../../workers/protocol.js';
import { ROWS_TYPES, rowsFormatOf, VARY_ACCEPT } from '../rows-format.js';
import { decodeBody } from './decode-body.js';
import { answerWithRows, type RowsPlace } from './rows-answer.js';
import { answerWithTotal } from './total-answer.js';
import { contain, hold, readJsonBytes } from './read-json.js';
import { executeAlone } from './transaction.js';

export const answerMetadata = describedBy(describeMetadata);
export const answerModel = describedBy(describeModel);
export const answerParameters = describedBy(describeParameters);
export const answerConstraints = describedBy(describeConstraints);
export const answerPlan = describedBy(describePlan);

/** As a structured field (RFC 9651), because `Warning` is obsolete (RFC 9111, 5.5). */
const UNSTABLE_PAGE: Header = [
  'rowgate-warning',
  'sort-not-unique;detail="Rows with equal sort keys may be on two pages, or on none."',
];

/** `POST /execute`. */
export function execute(call: Call): void {
  const format = rowsFormatOf(call.exchange.headers.accept, call.pretty);
  if (format === undefined) {
    refuseFormat(call, `Rows are sent as ${ROWS_TYPES.join(', ')}.`);
    return;
  }
  withPlan(call, (entry, request) => {
    const { form } = format;
    const { data } = request;
    const misfit = form === 'csv' ? whyNotTable(entry.plan.root) : undefined;
    const run = (): void => {
      const execution = { entry, data, form };
      const dispatcher =
        typeof data === 'object'
          ? call.service.large.dispatcherFor([data])
          : call.service.dispatcher;
      const rows = (sink: AnswerSink): number => dispatcher.execute(execution, sink);
      const place = { format, dispatcher };
      if (request.total) countBeside(call, request.total, { place, rows, data });
      else answerWithRows(call, place, rows);
    };
    const { write } = entry.plan.root;
    const hasSettings = call.principal?.settings !== undefined;
    const alone = () => executeAlone(call, format, entry, request);
    if (misfit !== undefined) return refuseFormat(call, misfit);
    if (request.total && (write || hasSettings)) {
      throw noTotal(write ? 'A write' : 'A request under settings');
    }
    if (entry.plan.hasUnstablePage) call.exchange.addHeaders([UNSTABLE_PAGE]);
    if (!write && hasSettings) alone();
    else if (!write) run();
    else if (hasSettings || call.exchange.headers['idempotency-key'] !== '') hold(call, alone);
    else hold(call, run);
  });
}

interface CountedRows {
  readonly place: RowsPlace;
  readonly rows: (sink: AnswerSink) => number;
  readonly data: RequestData;
}

/** Answers with rows and their total number; the plan that counts them is compiled like any other. */
function countBeside(call: Call, total: PlanKey, { place, rows, data }: CountedRows): void {
  // Bytes are transferred to the worker with the rows.
  const copy = typeof data === 'object' ? data.slice() : data;
  call.service.plans.obtain(total, {
    planned: (entry) => {
      const count = { entry, data: copy, form: 'compact' } as const;
      const sends = { rows, total: (sink: AnswerSink) => place.dispatcher.execute(count, sink) };
      if (!call.exchange.aborted) contain(call, () => answerWithTotal(call, place, sends));
    },
    failed: (failure) => call.sendFailure(failure),
  });
}

/** Why an answer cannot be CSV; undefined when it can. */
function whyNotTable({ write, includes }: StatementPlan): string | undefined {
  if (write !== undefined) return 'The answer of a write is not sent as text/csv.';
  if (includes.length > 0) return 'Rows that include others are not sent as text/csv.';
  return undefined;
}

function refuseFormat(call: Call, detail: string): void {
  call.sendProblem({ code: 'not-acceptable', detail }, [VARY_ACCEPT]);
}

function describedBy(describe: (plan: CompiledQuery) => unknown) {
  return (call: Call): void => {
    withPlan(call, ({ plan }) => call.sendDescription(describe(plan)));
  };
}

type UsePlan = (entry: PlanEntry, request: QueryRequest) => void;

function withPlan(call: Call, use: UsePlan): void {
  const { plans, bodiesFor } = call.service;
  readJsonBytes(call, (bytes) => {
    const known = bodiesFor(call.principal).find(bytes);
    const entry = known && plans.find(known.key);
    const permitted = call.principal ? permittedUse(call.principal, use) : use;
    if (entry) permitted(entry, known);
    else decodeBody(call, bytes, (body) => obtainPlan(call, asObject(body), permitted));
  });
}

function permittedUse(principal: Principal, use: UsePlan): UsePlan {
  return (entry, request) => {
    requirePlan(principal, entry.plan);
    use(entry, request);
  };
}

/** The slow path: the body or the plan is not in a cache. */
function obtainPlan(call: Call, body: JsonBody, use: UsePlan): void {
  const { configuration, plans, bodiesFor } = call.service;
  const request = readQueryRequest(body, configuration, call.scope);
  const useNew = (entry: PlanEntry): void => {
    if (!body.dataOf && !request.total) bodiesFor(call.principal).learn(body.text, request);
    use(entry, request);
  };
  const found = plans.find(request.key);
  if (found) return useNew(found);
  // The query may be a write.
  hold(call, () => {
    plans.obtain(request.key, {
      planned: (entry) => {
        if (call.exchange.aborted) return;
        if (!entry.plan.root.write) call.exchange.release();
        contain(call, () => useNew(entry));
      },
      failed: (failure) => call.sendFailure(failure),
    });
  });
}
