/** Executes a plan with the data of a request. */
import { readArguments } from '../../engine/index.js';
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
export async function execute(context: Context, task: ExecuteTask): Promise<void> {
  const { answer, cancellation, format } = task;
  const { plan } = task.ready;
  const values = readArguments(plan, parseData(task.data));
  const ready =
    values.nulls.length === 0 ? task.ready : context.plans.variant(task.planId, plan, values.nulls);
  await runQuery({
    plan: ready.plan,
    writer: ready.writer(format.pretty),
    values,
    answer,
    cancellation,
    sources: context.sources,
    rowsMax: context.settings.rowsMax,
    windowRows: WINDOW_ROWS,
  });
}
