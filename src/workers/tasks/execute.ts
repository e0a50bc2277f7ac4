/** Executes a plan with the data of a request. */
import { type ParameterValues, readArguments } from '../../engine/index.js';
import type { Context } from '../context.js';
import type { Answer } from '../execution/answer.js';
import type { Cancellation } from '../execution/cancellation.js';
import { runQuery } from '../execution/run-query.js';
import type { ReadyPlan } from '../plans.js';
import type { RowFormat } from '../protocol.js';
import { parseData } from './parse-data.js';

/** Rows of a root whose children are fetched together. */
const WINDOW_ROWS = 1000;

/** What is to be executed, and where its answer goes. */
export interface ExecuteTask {
  readonly planId: number;
  readonly ready: ReadyPlan;
  /** The JSON text of the data. */
  readonly data: string | undefined;
  readonly format: RowFormat;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
}

/** Writes the whole answer, without ending it. Rejects with an `EngineError` or a `SourceError`. */
export function execute(context: Context, task: ExecuteTask): Promise<void> {
  const { answer, cancellation, format } = task;
  const { plan } = task.ready;
  const values = readArguments(plan, parseData(task.data));
  const request = { values, pretty: format.pretty, answer, cancellation };
  if (values.nulls.length > 0) {
    return executeAlone(context, context.plans.variant(task.planId, plan, values.nulls), request);
  }
  const { lanes } = context;
  if (lanes && plan.lane) return lanes.run({ ready: task.ready, ...request });
  return executeAlone(context, task.ready, request);
}

/** A request whose arguments are read. */
export interface AloneRequest {
  readonly values: ParameterValues;
  readonly pretty: boolean;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
}

/** Runs a request by itself; `onStart` is told when its first statement begins. */
export function executeAlone(
  { sources, settings }: Pick<Context, 'sources' | 'settings'>,
  ready: ReadyPlan,
  { values, pretty, answer, cancellation }: AloneRequest,
  onStart?: () => void,
): Promise<void> {
  return runQuery({
    plan: ready.plan,
    writer: ready.writer(pretty),
    values,
    answer,
    cancellation,
    sources,
    rowsMax: settings.rowsMax,
    windowRows: WINDOW_ROWS,
    ...(onStart && { onStart }),
  });
}
