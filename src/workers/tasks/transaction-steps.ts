/** The steps of a transaction, one after the other on its session: what `/execute` does with each. */
import {
  type DataValue,
  EarlierAnswers,
  hasReferences,
  readArguments,
  resolveReferences,
  type RowsForm,
} from '../../engine/index.js';
import type { Context } from '../context.js';
import type { ReadyPlan } from '../plans.js';
import { StepFault } from '../step-fault.js';
import type { Source, TransactionSession } from '../sources/source.js';
import type { HeldAnswer } from '../execution/held-answer.js';
import { prepareHeardWrite } from '../execution/heard-write.js';
import type { LaterWrite } from '../execution/later-writes.js';
import { held, listenersOf, runListeners } from '../execution/listeners.js';
import { roundsOn } from '../execution/prepare-write.js';
import { runOnSessions } from '../execution/run-query.js';
import { WINDOW_ROWS } from './execute.js';
import { parseAnswer } from './parse-data.js';

/** A step whose data is parsed. */
export interface Step {
  readonly planId: number;
  readonly ready: ReadyPlan;
  readonly data: DataValue | undefined;
}

/** What the steps of a transaction have in common. */
export interface StepSetting {
  readonly context: Context;
  readonly source: Source;
  readonly form: RowsForm;
  /** The instant of the request, as ISO 8601. */
  readonly instant: string;
}

/** Where the rounds of a step run, and its answer goes. */
export interface StepPlace {
  readonly session: TransactionSession;
  readonly answer: HeldAnswer;
  /** Takes what listeners write once all is committed. */
  readonly later: LaterWrite[];
}

/** A step that is ready to run, as often as the transaction begins anew. */
export type RunStep = (place: StepPlace, earlier: EarlierAnswers) => Promise<void>;

/**
 * Reads and checks the data of every step that refers to no other; the others read theirs when it is
 * their turn. Throws a {@link StepFault}.
 */
export function prepareSteps(setting: StepSetting, steps: readonly Step[]): readonly RunStep[] {
  return steps.map((step, index) => {
    const { data } = step;
    if (data === undefined || !hasReferences(data)) {
      return atStep(index, () => prepareStep(setting, step));
    }
    return (place, earlier) =>
      prepareStep(setting, { ...step, data: resolveReferences(data, earlier) })(place, earlier);
  });
}

/** Runs the steps in their order; gives the answer of each. Rejects with a {@link StepFault}. */
export async function runSteps(
  steps: readonly RunStep[],
  place: StepPlace,
): Promise<readonly Buffer[]> {
  const answers: Buffer[] = [];
  const earlier = new EarlierAnswers();
  for (const [index, run] of steps.entries()) {
    try {
      await run(place, earlier);
    } catch (error) {
      throw new StepFault(index, error);
    }
    const piece = place.answer.takePiece();
    answers.push(piece);
    earlier.add(() => parseAnswer(piece.toString('utf8')));
  }
  return answers;
}

function prepareStep(setting: StepSetting, step: Step): RunStep {
  return step.ready.plan.root.write ? prepareWriting(setting, step) : prepareReading(setting, step);
}

function prepareWriting({ context, source, form, instant }: StepSetting, step: Step): RunStep {
  const prepared = prepareHeardWrite(context, { ...step, form, instant });
  return async ({ session, answer, later }) => {
    answer.write(await prepared.run(roundsOn(session, source)));
    later.push(...prepared.later);
  };
}

function prepareReading(setting: StepSetting, { planId, ready, data }: Step): RunStep {
  const { context, source, form, instant } = setting;
  const values = readArguments(ready.plan, data, instant);
  const { variant } = values;
  const chosen = variant.length === 0 ? ready : context.plans.variant(planId, ready.plan, variant);
  const { rowsMax } = context.settings;
  const listeners = listenersOf(context, ready.plan);
  const request = { plan: ready.plan, data, instant };
  return async ({ session, answer, later }) => {
    const writer = chosen.writer(form);
    const order = { plan: chosen.plan, writer, values, answer, rowsMax, windowRows: WINDOW_ROWS };
    const around = { listeners, request, later, rounds: held(roundsOn(session, source)) };
    await runListeners(context, { ...around, phase: 'before' });
    await runOnSessions(order, new Map([[source.name, session]]));
    await runListeners(context, { ...around, phase: 'after' });
  };
}

function atStep<Result>(step: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new StepFault(step, error);
  }
}
