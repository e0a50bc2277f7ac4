/** `POST /execute` with a list of queries: finds their plans, and runs each of them by itself. */
import type { RowsForm } from '../../engine/index.js';
import type { Call } from '../call.js';
import { Refusal } from '../errors.js';
import type { JsonValue } from '../http/body.js';
import { type ListedQuery, readQueryList } from '../query-list-request.js';
import type { RowsFormat } from '../rows-format.js';
import type { PlannedSink } from '../shared-plans.js';
import { listLayoutOf } from './list-layout.js';
import { type ListedReady, runList } from './list-run.js';
import { hold, obtainAll, type PlanOutcome } from './read-json.js';
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

/** Finds the plans of all queries. */
function withPlans(
  call: Call,
  form: RowsForm,
  listed: readonly ListedQuery[],
  use: (queries: readonly ListedReady[]) => void,
): void {
  const { sharedPlans } = call.service;
  const found = listed.map((query) => {
    const isRefused = query instanceof Refusal;
    return { query, known: isRefused ? { problem: query.problem } : sharedPlans.find(query) };
  });
  const useAll = (outcomes: readonly PlanOutcome[]): void =>
    use(outcomes.map((each, index) => readyOf(each, form, index)));
  const known = found.flatMap((each) => each.known ?? []);
  if (known.length === found.length && !known.some(isWrite)) return useAll(known);
  const obtain = ({ query, known: own }: (typeof found)[number], sink: PlannedSink): void => {
    if (own && 'entry' in own) sink.planned(own.entry, own.request);
    else if (query instanceof Refusal) sink.failed({ problem: query.problem });
    else sharedPlans.obtain(query, sink);
  };
  // A query without a plan may be a write.
  hold(call, () => {
    obtainAll(call, found, obtain, (outcomes) => {
      if (!outcomes.some(isWrite)) call.exchange.release();
      useAll(outcomes);
    });
  });
}

function isWrite(outcome: PlanOutcome): boolean {
  return 'entry' in outcome && outcome.entry.plan.root.write !== undefined;
}

function readyOf(outcome: PlanOutcome, form: RowsForm, index: number): ListedReady {
  if ('problem' in outcome) return { failure: outcome };
  const { entry, request } = outcome;
  return { entry, data: request.data, form, request, index };
}
