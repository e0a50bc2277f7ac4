/** `POST /execute` with a list of queries: finds their plans, and runs each of them by itself. */
import { requirePlan } from '../access/principal.js';
import type { Call } from '../call.js';
import { Refusal } from '../errors.js';
import type { JsonValue } from '../http/body.js';
import { type ListedQuery, readQueryList } from '../query-list-request.js';
import type { RowsFormat } from '../rows-format.js';
import { listLayoutOf } from './list-layout.js';
import { type ListedReady, runList } from './list-run.js';
import { contain, hold } from './read-json.js';
import { UNSTABLE_PAGE } from './rows-answer.js';
import { dispatcherFor, sendQuery } from './send-query.js';

/** Executes a list of queries, whose answers have this format. Throws a `Refusal`. */
export function executeList(
  call: Call,
  format: RowsFormat,
  body: JsonValue,
  values: readonly unknown[],
): void {
  const { configuration, catalog } = call.service;
  const { executeQueriesMax: queriesMax, expressionLengthMax } = configuration;
  const limits = { queriesMax, expressionLengthMax };
  const listed = readQueryList(body, values, limits, call.scope);
  const layout = listLayoutOf(format);
  const hasListeners = catalog.schema.listeners.length > 0;
  withPlans(call, listed, (queries) => {
    if (queries.some((each) => 'entry' in each && each.entry.plan.hasUnstablePage)) {
      call.exchange.addHeaders([UNSTABLE_PAGE]);
    }
    runList(call, {
      layout,
      queries,
      send: ({ entry, request }, index, sink) => {
        if (call.principal) requirePlan(call.principal, entry.plan);
        const dispatcher = dispatcherFor(call, [request]);
        const query = { entry, request, form: layout.form, index };
        return { dispatcher, id: sendQuery(call, dispatcher, query, sink) };
      },
      mayRepeat: ({ entry }) => !hasListeners && !entry.plan.root.write,
    });
  });
}

type UseQueries = (queries: readonly ListedReady[]) => void;

/** Finds the plans of all queries. */
function withPlans(call: Call, listed: readonly ListedQuery[], use: UseQueries): void {
  const { plans } = call.service;
  const ready: ListedReady[] = [];
  const unknown: number[] = [];
  let hasWrites = false;
  for (const [index, query] of listed.entries()) {
    const entry = query instanceof Refusal ? undefined : plans.find(query.key);
    if (query instanceof Refusal) ready[index] = { failure: { problem: query.problem } };
    else if (entry) ready[index] = { request: query, entry };
    else unknown.push(index);
    hasWrites ||= entry?.plan.root.write !== undefined;
  }
  if (unknown.length === 0 && !hasWrites) return use(ready);
  // A query without a plan may be a write.
  hold(call, () => {
    let missing = unknown.length;
    if (missing === 0) return use(ready);
    const settle = (index: number, query: ListedReady): void => {
      ready[index] = query;
      hasWrites ||= 'entry' in query && query.entry.plan.root.write !== undefined;
      missing -= 1;
      if (missing > 0 || call.exchange.aborted) return;
      if (!hasWrites) call.exchange.release();
      contain(call, () => use(ready));
    };
    for (const index of unknown) {
      const request = listed[index];
      if (request === undefined || request instanceof Refusal) continue;
      plans.obtain(request.key, {
        planned: (entry) => settle(index, { request, entry }),
        failed: (failure) => settle(index, { failure }),
      });
    }
  });
}
