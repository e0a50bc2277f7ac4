/** Executes a plan that writes: everything in one transaction; of several sources, in one each. */
import type { RowsForm } from '../../engine/index.js';
import type { Context } from '../context.js';
import type { Answer } from '../execute/answer.js';
import type { Cancellation } from '../cancellation.js';
import { hearFailure, prepareHeardWrite, requestOf } from '../execute/heard-write.js';
import { runAllLater } from '../execute/later-writes.js';
import type { WriteOrder } from '../execute/prepare-write.js';
import { runWrite } from '../execute/run-write.js';
import type { ReadyPlan } from '../plans.js';
import { parseData } from './parse-data.js';

/** What is to be written, and where the answer goes. */
export interface WriteTask {
  readonly planId: number;
  readonly ready: ReadyPlan;
  /** The JSON text of the data. */
  readonly data: string | undefined;
  readonly form: RowsForm;
  /** The instant of the request, as ISO 8601. */
  readonly instant: string;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
}

/** Writes the whole answer, without ending it. Rejects with an `EngineError` or a `SourceError`. */
export async function write(context: Context, task: WriteTask): Promise<void> {
  const order = { ...task, data: parseData(task.data) };
  const { text, later } = await writeHeard(context, task, order);
  await runAllLater(context, [task.ready.plan], later);
  task.answer.write(text);
}

async function writeHeard(context: Context, task: WriteTask, order: WriteOrder) {
  try {
    const prepared = prepareHeardWrite(context, order);
    return { text: await runWrite(context, task, prepared), later: prepared.later };
  } catch (error) {
    await hearFailure(context, requestOf(order), error);
    throw error;
  }
}
