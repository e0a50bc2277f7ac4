/** Executes the steps of a transaction on its connection, each like a request of `/execute`. */
import {
  type DataValue,
  EarlierAnswers,
  hasReferences,
  readArguments,
  resolveReferences,
} from '../../engine/index.js';
import type { Context } from '../context.js';
import type { Lease } from '../database/lease.js';
import { openCursor, PageCursor } from '../execute/page-cursor.js';
import type { DeferredWrite } from '../execute/deferred-writes.js';
import type { WriteTask } from '../execute/execute-write.js';
import { listenersOf, runHooks } from '../execute/hooks.js';
import { read, type RowsAnswer } from '../execute/read.js';
import { prepareWithHooks } from '../execute/write-with-hooks.js';
import type { RunWrites } from '../execute/write-rows.js';
import type { ReadyPlan } from '../plans.js';
import { StepFault } from '../problems.js';
import { parseAnswer, parseData } from '../parse-data.js';
import type { TransactionOrder } from '../protocol.js';

/** The steps to execute, and where the answer goes. */
export interface TransactionTask
  extends Omit<TransactionOrder, 'steps'>,
    Pick<WriteTask, 'instant' | 'answer' | 'cancellation'> {
  readonly steps: readonly Pick<WriteTask, 'ready' | 'data'>[];
}

interface Step {
  readonly ready: ReadyPlan;
  readonly data: DataValue | undefined;
}

/** The connection of a step, and where its answer goes. */
export interface StepPlace {
  readonly lease: Lease;
  readonly answer: TransactionTask['answer'];
  /** Receives the writes of listeners that run after the commit. */
  readonly deferred: DeferredWrite[];
}

/** Runs a prepared step; called again when the transaction is retried. */
export type RunStep = (place: StepPlace, earlier: EarlierAnswers) => Promise<void>;

/**
 * Reads and checks the data of every step without references. The other steps read theirs when they
 * run. Throws a {@link StepFault}.
 */
export function prepareSteps(context: Context, task: TransactionTask): readonly RunStep[] {
  const steps = task.steps.map(({ ready, data }, index) => ({
    ready,
    data: atStep(index, () => parseData(data)),
  }));
  return steps.map((step, index) => {
    const { data, ready } = step;
    if (data === undefined || !hasReferences(data)) {
      return counted(
        ready,
        atStep(index, () => prepareStep(context, task, step)),
      );
    }
    return counted(ready, (place, earlier) =>
      prepareStep(context, task, { ...step, data: resolveReferences(data, earlier) })(
        place,
        earlier,
      ),
    );
  });
}

function counted({ count }: ReadyPlan, run: RunStep): RunStep {
  return async (place, earlier) => {
    const startedAt = performance.now();
    const before = place.answer.rows;
    try {
      await run(place, earlier);
    } finally {
      count.ran(1, performance.now() - startedAt);
      count.addRows(place.answer.rows - before);
    }
  };
}

/** Runs the steps in order; returns where the answer of each ends. Rejects with a {@link StepFault}. */
export async function runSteps(steps: readonly RunStep[], place: StepPlace): Promise<number[]> {
  const { out } = place.answer;
  const ends: number[] = [];
  const earlier = new EarlierAnswers();
  for (const [index, run] of steps.entries()) {
    const start = out.length;
    try {
      await run(place, earlier);
    } catch (error) {
      throw new StepFault(index, error);
    }
    const end = out.length;
    ends.push(end);
    earlier.add(() => parseAnswer(Buffer.from(out.bytes.buffer, start, end - start).toString()));
  }
  return ends;
}

function prepareStep(context: Context, task: TransactionTask, step: Step): RunStep {
  step.ready.checkData(step.data);
  const prepare = step.ready.plan.root.write ? prepareWriting : prepareReading;
  return prepare(context, task, step);
}

function prepareWriting(context: Context, { form, instant }: TransactionTask, step: Step): RunStep {
  const { prepared, deferred } = prepareWithHooks(context, { ...step, instant });
  return async (place) => {
    const writeAnswer = await prepared.run(runOn(place.lease, place.answer));
    writeAnswer(place.answer, form);
    place.deferred.push(...deferred);
  };
}

function prepareReading(
  context: Context,
  { form, instant, isSingle }: TransactionTask,
  { ready, data }: Step,
): RunStep {
  const { plan } = ready;
  const values = readArguments(plan, openCursor(plan, data), instant);
  const chosen = context.plans.variant(ready, values.variant);
  const { rowsMax } = context.settings;
  const { cursor } = chosen.plan;
  const own = chosen.writer(form);
  const order = { plan: chosen.plan, values, rowsMax };
  const listeners = listenersOf(context, plan);
  const request = { plan, data, instant };
  return async ({ lease, answer, deferred }) => {
    const hooks = { listeners, request, deferred, runWrites: runOn(lease) };
    await runHooks(context, { ...hooks, phase: 'before' });
    const page = isSingle && cursor ? new PageCursor(cursor, values) : undefined;
    const writer = page ? page.watch(own) : own;
    await read({ ...order, writer, answer }, new Map([[plan.root.source, lease]]));
    answer.next = page?.next();
    await runHooks(context, { ...hooks, phase: 'after' });
  };
}

/** Runs writes on the connection of a transaction, which commits them. */
function runOn(lease: Lease, answer?: RowsAnswer): RunWrites {
  return async (statements) => {
    const written = await lease.write(statements, false);
    if (answer) for (const { count } of written) answer.rows += count;
    return written;
  };
}

function atStep<Result>(step: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new StepFault(step, error);
  }
}
