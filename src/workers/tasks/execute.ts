/** Executes a plan with the data of a request. */
import { type ParameterValues, readArguments, type RowsForm } from '../../engine/index.js';
import type { Context } from '../context.js';
import type { Answer } from '../execution/answer.js';
import type { Cancellation } from '../execution/cancellation.js';
import { hearFailure, runBeside } from '../execution/heard-write.js';
import { listenersOf } from '../execution/listeners.js';
import { runQuery } from '../execution/run-query.js';
import type { ReadyPlan } from '../plans.js';
import { parseData } from './parse-data.js';

/** Rows of a root whose children are fetched together, at most. */
export const WINDOW_ROWS = 4000;

/** What is to be executed, and where its answer goes. */
export interface ExecuteTask {
  readonly planId: number;
  readonly ready: ReadyPlan;
  readonly values: ParameterValues;
  readonly form: RowsForm;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
  /** What listeners are told: the JSON text of the data, and when the request came. */
  readonly data?: string | undefined;
  readonly receivedAt?: number;
  /** Told when the first statement begins. */
  readonly onStart?: () => void;
}

/**
 * The arguments of a request: its data against the parameters of its plan, and the instant (ISO
 * 8601) that is `now()` for it, where the plan asks for that.
 */
export function readData(
  { plan, readPlain }: ReadyPlan,
  data: string | undefined,
  instant: string | undefined,
): ParameterValues {
  const plain = data === undefined ? undefined : readPlain?.(data);
  if (plain) return plain;
  return readArguments(plan, parseData(data), instant);
}

/** Writes the whole answer, without ending it. Rejects with an `EngineError` or a `SourceError`. */
export async function execute(context: Context, task: ExecuteTask): Promise<void> {
  const { plan } = task.ready;
  if (listenersOf(context, plan).length === 0) return read(context, task);
  const instant = new Date(task.receivedAt ?? Date.now()).toISOString();
  const request = { plan, data: parseData(task.data), instant };
  try {
    await runBeside(context, request, 'before');
    await read(context, task);
    await runBeside(context, request, 'after');
  } catch (error) {
    await hearFailure(context, request, error);
    throw error;
  }
}

function read(context: Context, task: ExecuteTask): Promise<void> {
  const { values, answer, cancellation, onStart } = task;
  const { variant } = values;
  const { plan } = task.ready;
  const ready =
    variant.length === 0 ? task.ready : context.plans.variant(task.planId, plan, variant);
  return runQuery({
    plan: ready.plan,
    writer: ready.writer(task.form),
    values,
    answer,
    cancellation,
    sources: context.sources,
    rowsMax: context.settings.rowsMax,
    windowRows: WINDOW_ROWS,
    ...(onStart && { onStart }),
  });
}
