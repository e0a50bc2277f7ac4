/** The query endpoints: all of them find the plan; five describe it, one executes it. */
import type { CompiledQuery, StatementPlan } from '../../engine/index.js';
import { type Principal, requirePlan, runsApart } from '../access/principal.js';
import type { Call } from '../call.js';
import { asObject, type JsonBody, type JsonValue } from '../http/body.js';
import type { AnswerSink } from '../dispatcher/sinks.js';
import type { PlanEntry, PlanKey } from '../plan-cache.js';
import { noTotal, type QueryRequest, readQueryRequest } from '../query-request.js';
import type { RequestData } from '../../workers/protocol.js';
import {
  LIST_TYPES,
  ROWS_TYPES,
  type RowsFormat,
  rowsFormatOf,
  VARY_ACCEPT,
} from '../rows-format.js';
import type { PlannedRequest } from '../shared-plans.js';
import type { Stopwatch } from '../stopwatch.js';
import { decodeBody } from './decode-body.js';
import { executeList } from './execute-list.js';
import { answerWithRows, type RowsPlace, UNSTABLE_PAGE } from './rows-answer.js';
import { dispatcherFor, sendQuery } from './send-query.js';
import { answerWithTotal } from './total-answer.js';
import { hold, planSink, readJsonBytes } from './read-json.js';

export function describingPlan(describe: (plan: CompiledQuery) => unknown) {
  return (call: Call): void => {
    withPlan(call, ({ plan }) => call.sendDescription(describe(plan)));
  };
}

/** `POST /execute`. */
export function execute(call: Call): void {
  const { accept } = call.exchange.headers;
  const format = rowsFormatOf(accept, call.pretty);
  if (format === undefined) {
    refuseFormat(call, `Rows are sent as ${ROWS_TYPES.join(', ')}.`);
    return;
  }
  const useList = (body: JsonValue, values: readonly unknown[]): void => {
    const listFormat = rowsFormatOf(accept, call.pretty, LIST_TYPES);
    if (listFormat) executeList(call, listFormat, body, values);
    else refuseFormat(call, `Answers of several queries are sent as ${LIST_TYPES.join(', ')}.`);
  };
  withPlan(call, (entry, request) => executeOne(call, format, entry, request), useList);
}

function executeOne(call: Call, format: RowsFormat, entry: PlanEntry, request: QueryRequest): void {
  const { form } = format;
  const { root, hasUnstablePage } = entry.plan;
  const obstacle = form === 'csv' ? whyNotTable(root) : undefined;
  if (obstacle !== undefined) return refuseFormat(call, `${obstacle} sent as text/csv.`);
  if (request.total && (root.write || runsApart(call.principal))) {
    throw noTotal(root.write ? 'A write' : 'A request under settings or limits');
  }
  const run = (): void => {
    const { data, total } = request;
    const dispatcher = dispatcherFor(call, data);
    const query = { entry, request, form, data };
    const rows = (sink: AnswerSink): number => sendQuery(call, dispatcher, query, sink);
    const place = { format, dispatcher };
    if (total) countBeside(call, total, { place, rows, data });
    else answerWithRows(call, place, rows);
  };
  if (hasUnstablePage) call.exchange.addHeaders([UNSTABLE_PAGE]);
  if (root.write) hold(call, run);
  else run();
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
  const use = (entry: PlanEntry): void => {
    const count = { entry, data: copy, form: 'compact' } as const;
    const sends = { rows, total: (sink: AnswerSink) => place.dispatcher.execute(count, sink) };
    answerWithTotal(call, place, sends);
  };
  call.service.sharedPlans.obtainOwn({ key: total, data: copy }, planSink(call, use));
}

/**
 * A table contains neither included rows nor the answer of a write. Returns the beginning of a sentence that says so;
 * undefined if the answer can be a table.
 */
function whyNotTable({ write, includes }: StatementPlan): string | undefined {
  if (write !== undefined) return 'The answer of a write cannot be';
  if (includes.length > 0) return 'Rows that include others cannot be';
  return undefined;
}

function refuseFormat(call: Call, detail: string): void {
  call.sendProblem({ code: 'not-acceptable', detail }, [VARY_ACCEPT]);
}

type UsePlan = (entry: PlanEntry, request: QueryRequest) => void;

type UseList = (body: JsonValue, values: readonly unknown[]) => void;

/** `useList` receives a body that is a list; without it, such a body is refused. */
function withPlan(call: Call, use: UsePlan, useList?: UseList): void {
  const { bodiesFor } = call.service;
  const isExecution = useList !== undefined;
  readJsonBytes(call, (bytes) => {
    const known = bodiesFor(call.principal).find(bytes);
    call.stopwatch?.parsed();
    const found = known && findPlan(call, known, isExecution);
    const timed = call.stopwatch ? timedUse(call.stopwatch, use) : use;
    const permitted = call.principal ? permittedUse(call.principal, timed) : timed;
    if (found) return permitted(found.entry, found.request);
    decodeBody(call, bytes, (body) => {
      if (useList && Array.isArray(body.value)) useList(body, body.value);
      else useBody(call, asObject(body), { use: permitted, isExecution });
    });
  });
}

/** The plan of a request if it is known. Only an execution may use a shared one. */
function findPlan(
  { service: { sharedPlans } }: Call,
  request: QueryRequest,
  isExecution: boolean,
): PlannedRequest | undefined {
  return isExecution ? sharedPlans.find(request) : sharedPlans.findOwn(request);
}

function timedUse(stopwatch: Stopwatch, use: UsePlan): UsePlan {
  return (entry, request) => {
    stopwatch.planned(entry);
    use(entry, request);
  };
}

function permittedUse(principal: Principal, use: UsePlan): UsePlan {
  return (entry, request) => {
    requirePlan(principal, entry.plan);
    use(entry, request);
  };
}

/** The slow path: the body or the plan is not in a cache. */
function useBody(
  call: Call,
  body: JsonBody,
  { use, isExecution }: { readonly use: UsePlan; readonly isExecution: boolean },
): void {
  const { configuration, sharedPlans, bodiesFor } = call.service;
  const request = readQueryRequest(body, configuration, call.scope);
  call.stopwatch?.parsed();
  const useNew = (entry: PlanEntry, planned: QueryRequest): void => {
    if (!body.dataOf && !request.total) bodiesFor(call.principal).learn(body.text, request);
    use(entry, planned);
  };
  const known = findPlan(call, request, isExecution);
  if (known) return useNew(known.entry, known.request);
  // The query may be a write.
  hold(call, () => {
    const planned = (entry: PlanEntry, plannedRequest: QueryRequest): void => {
      if (!entry.plan.root.write) call.exchange.release();
      useNew(entry, plannedRequest);
    };
    if (isExecution) sharedPlans.obtain(request, planSink(call, planned));
    else sharedPlans.obtainOwn(request, planSink(call, planned));
  });
}
