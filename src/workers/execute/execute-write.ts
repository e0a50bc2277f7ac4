/** Executes a plan that writes, in one transaction for each source. */
import type { Context } from '../context.js';
import { runAllDeferred } from './deferred-writes.js';
import type { ExecuteTask } from './execute-read.js';
import { runErrorHooks } from './hooks-apart.js';
import type { WriteOrder } from './prepare-write.js';
import { runWrite } from './run-write.js';
import type { SharedCommits } from './shared-commits.js';
import { prepareWithHooks, requestOf } from './write-with-hooks.js';
import { parseData } from '../parse-data.js';

/** What to write, and where the answer goes. */
export interface WriteTask
  extends Pick<ExecuteTask, 'ready' | 'form' | 'answer' | 'cancellation' | 'comment'> {
  /** The JSON text of the data. */
  readonly data: string | undefined;
  /** The instant of the request, as ISO 8601. */
  readonly instant: string;
  /** Lets it share a commit with other writes. */
  readonly batcher?: SharedCommits | undefined;
}

/** Writes the whole answer without ending it. Rejects with an `EngineError` or a `SourceError`. */
export async function write(context: Context, task: WriteTask): Promise<void> {
  const { ready, instant } = task;
  const data = parseData(task.data);
  ready.checkData(data);
  const order: WriteOrder = { ready, data, instant };
  const { writeAnswer, deferred } = await writeOrder(context, task, order);
  if (deferred.length > 0) await runAllDeferred(context, [ready.plan], deferred);
  writeAnswer(task.answer, task.form);
}

async function writeOrder(context: Context, task: WriteTask, order: WriteOrder) {
  try {
    const { prepared, deferred } = prepareWithHooks(context, order);
    return { writeAnswer: await runWrite(context, task, prepared), deferred };
  } catch (error) {
    await runErrorHooks(context, requestOf(order), error);
    throw error;
  }
}
