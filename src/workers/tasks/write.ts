/** Executes a plan that writes: everything in one transaction, on one session. */
import {
  createWriter,
  type DataValue,
  EngineError,
  readArguments,
  readRows,
  type Sentence,
  type SentenceWriter,
  writtenAnswer,
} from '../../engine/index.js';
import type { Context } from '../context.js';
import type { Answer } from '../execution/answer.js';
import type { Cancellation } from '../execution/cancellation.js';
import {
  checkOrder,
  type ChosenOrder,
  chosenWriteOf,
  deleteChosen,
  keyedData,
  presentProperties,
  updateChosen,
} from '../execution/write-chosen.js';
import { placedFault } from '../execution/write-fault.js';
import { type RunWrites, writeRows } from '../execution/write-rows.js';
import type { ReadyPlan } from '../plans.js';
import { SourceError } from '../sources/source-error.js';
import type { Session, Source } from '../sources/source.js';
import { parseData } from './parse-data.js';

/** What is to be written, and where the answer goes. */
export interface WriteTask {
  readonly planId: number;
  readonly ready: ReadyPlan;
  /** The JSON text of the data. */
  readonly data: string | undefined;
  readonly pretty: boolean;
  /** The instant of the request, as ISO 8601. */
  readonly instant: string;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
}

/** Writes the whole answer, without ending it. Rejects with an `EngineError` or a `SourceError`. */
export async function write(context: Context, task: WriteTask): Promise<void> {
  const { root } = task.ready.plan;
  const data = parseData(task.data);
  const text =
    root.write?.kind === 'rows'
      ? await writeData(context, task, data)
      : String(await writeChosen(context, task, data));
  task.answer.write(text);
}

async function writeData(
  context: Context,
  task: WriteTask,
  data: DataValue | undefined,
): Promise<string> {
  const { ready, pretty, instant } = task;
  const { root } = ready.plan;
  const writer = writerOf(root, pretty);
  let rows = readRows(root, data, instant);
  if (rows.length === 0) return writtenAnswer(writer, rows);
  let attempts = 0;
  await inTransaction(context, task, async (run) => {
    // Rows remember what was stored, so that a second attempt has its own.
    if (attempts > 0) rows = readRows(root, data, instant);
    attempts += 1;
    try {
      await writeRows(run, root, rows);
    } catch (error) {
      throw placedFault(error, { schema: context.schema, root, rows });
    }
  });
  return writtenAnswer(writer, rows);
}

const writers = new WeakMap<Sentence, Map<boolean, SentenceWriter>>();

/** The writer of a plan, made once as long as the plan is kept. */
function writerOf(root: Sentence, pretty: boolean): SentenceWriter {
  const known = writers.get(root) ?? new Map<boolean, SentenceWriter>();
  writers.set(root, known);
  const writer = known.get(pretty) ?? createWriter(root, { pretty });
  known.set(pretty, writer);
  return writer;
}

async function writeChosen(
  context: Context,
  task: WriteTask,
  data: DataValue | undefined,
): Promise<number> {
  const { root } = task.ready.plan;
  const { action } = chosenWriteOf(root);
  const orders = keyedData(chosenWriteOf(root), data).map((own) => orderOf(context, task, own));
  for (const order of orders) checkOrder(order);
  if (orders.length === 0) return 0;
  return inTransaction(context, task, async (run) => {
    try {
      const [first] = orders;
      if (action === 'delete' || !first) return await deleteChosen(run, orders);
      return await updateChosen(run, first);
    } catch (error) {
      throw placedFault(error, { schema: context.schema, root, rows: [] });
    }
  });
}

/** The plan for what the data has, with the values of its parameters. */
function orderOf(context: Context, task: WriteTask, data: DataValue | undefined): ChosenOrder {
  const { planId, ready, instant } = task;
  const present = presentProperties(chosenWriteOf(ready.plan.root), data);
  const chosen =
    present === undefined
      ? ready.plan
      : context.plans.variant(planId, ready.plan, [], present).plan;
  const values = readArguments(chosen, data, instant);
  const plan =
    values.nulls.length === 0
      ? chosen
      : context.plans.variant(planId, ready.plan, values.nulls, present).plan;
  return { plan, values, data, instant };
}

/**
 * Runs `work` on a session, once more when a statement was stale: nothing of the first attempt is
 * left.
 */
async function inTransaction<Result>(
  context: Context,
  { ready, cancellation }: WriteTask,
  work: (run: RunWrites) => Promise<Result>,
): Promise<Result> {
  const source = context.sources.get(ready.plan.root.source);
  const session = await source.openSession(cancellation);
  const forget = cancellation.onCancel(() => session.cancel());
  try {
    if (cancellation.isCancelled) throw new SourceError('cancelled');
    const run = runOn(session, source);
    return await work(run).catch((error: unknown) => {
      const isStale = error instanceof SourceError && error.code === 'statement-stale';
      if (!isStale) throw error;
      return work(run);
    });
  } finally {
    forget();
    session.release();
  }
}

function runOn(session: Session, { dialect }: Source): RunWrites {
  return (statements, last) => {
    if (session.write) return session.write(statements, last);
    throw new EngineError('unsupported', `Writes are not executed on ${dialect} yet.`);
  };
}
