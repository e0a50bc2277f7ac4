/** `POST /execute` with a list of queries: finds their plans, and runs each of them by itself. */
import type { RowsForm } from '../../engine/index.js';
import type { Call } from '../call.js';
import { Refusal } from '../errors.js';
import type { JsonValue } from '../http/body.js';
import type { PlanEntry } from '../plan-cache.js';
import { type ListedQuery, readQueryList } from '../query-list-request.js';
import type { QueryRequest } from '../query-request.js';
import type { RowsFormat } from '../rows-format.js';
import { listLayoutOf } from './list-layout.js';
import { type ListedReady, runList } from './list-run.js';
import { contain, hold } from './read-json.js';
import { UNSTABLE_PAGE } from './rows-answer.js';

/** Executes a list of queries, whose answers have this format. Throws a `Refusal`. */
export function executeList(
  call: Call,
  format: RowsFormat,
  body: JsonValue,
  values: readonly unknown[],
): void {
  const listed = readQueryList(body, values, call.service.configuration, call.scope);
  const layout = listLayoutOf(format);
  withPlans(call, layout.form, listed, (queries) => {
    if (queries.some((each) => 'entry' in each && each.entry.plan.hasUnstablePage)) {
      call.exchange.addHeaders([UNSTABLE_PAGE]);
    }
    runList(call, layout, queries);
  });
}

type UseQueries = (queries: readonly ListedReady[]) => void;

/** Finds the plans of all queries. */
function withPlans(
  call: Call,
  form: RowsForm,
  listed: readonly ListedQuery[],
  use: UseQueries,
): void {
  const { plans, sharedPlans } = call.service;
  const ready: ListedReady[] = [];
  const unknown: number[] = [];
  let hasWrites = false;
  const found = (entry: PlanEntry, request: QueryRequest, index: number): void => {
    hasWrites ||= entry.plan.root.write !== undefined;
    ready[index] = { entry, data: request.data, form, request, index };
  };
  for (let index = 0; index < listed.length; index += 1) {
    const query = listed[index];
    if (query === undefined) continue;
    if (query instanceof Refusal) {
      ready[index] = { failure: { problem: query.problem } };
      continue;
    }
    const own = plans.find(query.key);
    const shared = own ? undefined : sharedPlans.find(query);
    if (own) found(own, query, index);
    else if (shared) found(shared.entry, shared.request, index);
    else {
      unknown.push(index);
      // Keeps the list without holes.
      ready[index] = UNKNOWN;
    }
  }
  if (unknown.length === 0 && !hasWrites) return use(ready);
  // A query without a plan may be a write.
  hold(call, () => {
    let missing = unknown.length;
    if (missing === 0) return use(ready);
    const settle = (): void => {
      missing -= 1;
      if (missing > 0 || call.exchange.aborted) return;
      if (!hasWrites) call.exchange.release();
      contain(call, () => use(ready));
    };
    for (const index of unknown) {
      const request = listed[index];
      if (request === undefined || request instanceof Refusal) continue;
      sharedPlans.obtain(request, {
        planned: (entry, planned) => {
          found(entry, planned, index);
          settle();
        },
        failed: (failure) => {
          ready[index] = { failure };
          settle();
        },
      });
    }
  });
}

const UNKNOWN: ListedReady = {
  failure: { problem: { code: 'internal', detail: 'The plan of a query was not found.' } },
};
