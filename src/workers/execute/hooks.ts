/**
 * Listeners of the schema as hooks of a request. `before` and `after` run in the transaction of a write;
 * `error` runs in its own transaction after the rollback. Writes of a listener run no listeners.
 */
import {
  asSentence,
  type Capabilities,
  type CompiledListener,
  type CompiledQuery,
  dataOfStep,
  type DataValue,
  EngineError,
  type ExecuteStep,
  executionOf,
  appliesTo,
  mayApply,
  type ListenerPhase,
  type ListenerStep,
  type ListenerValues,
  valueOfStep,
} from '../../engine/index.js';
import type { Context } from '../context.js';
import { SourceError, type SourceErrorCode } from '../database/source-error.js';
import { type DeferredWrite, seesReasons } from './deferred-writes.js';
import { prepareWrite, type WriteOrder } from './prepare-write.js';
import { sourceNames } from './read.js';
import type { RunWrites } from './write-rows.js';

/** A request to which listeners may apply. */
export interface HookedRequest {
  readonly plan: CompiledQuery;
  readonly data: DataValue | undefined;
  /** The instant of the request, as ISO 8601. */
  readonly instant: string;
}

/** The listeners for the action of a plan; an upsert counts as both an insert and an update. */
export function listenersOf(
  { listenerRegistry: { listeners } }: Context,
  { root, isTotal }: CompiledQuery,
): readonly CompiledListener[] {
  if (listeners.length === 0) return listeners;
  // They run for the rows that the total belongs to.
  if (isTotal) return [];
  const { clause } = root;
  const actions = clause === 'upsert' ? (['insert', 'update'] as const) : [clause];
  return listeners.filter(({ on }) => actions.some((action) => on.includes(action)));
}

/** Whether a listener may apply to requests of a plan with any data. */
export function mayHaveHooks(context: Context, plan: CompiledQuery, instant: string): boolean {
  const capabilities = { now: instant, cipher: context.cipher };
  const known = planValues(plan);
  return listenersOf(context, plan).some((listener) => mayApply(listener, known, capabilities));
}

/** A phase of a request: its listeners and their values. */
export interface HookRun {
  readonly listeners: readonly CompiledListener[];
  readonly phase: ListenerPhase;
  readonly request: HookedRequest;
  /** `result` or `error`. */
  readonly more?: ListenerValues;
  /** Runs statements in the transaction without committing. */
  readonly runWrites: RunWrites;
  /** Receives the writes to other sources, which run after the commit. */
  readonly deferred: DeferredWrite[];
}

/** Runs the listeners of a phase one after the other. Rejects with `listener-failed`. */
export async function runHooks(context: Context, run: HookRun): Promise<void> {
  const { listeners, phase, request, more } = run;
  const values = { ...valuesOf(request), ...more };
  const capabilities = { now: request.instant, cipher: context.cipher };
  for (const listener of listeners) {
    const step = listener.steps[phase];
    if (!step) continue;
    try {
      if (!appliesTo(listener, values, capabilities)) continue;
      await runStep(context, run, { listener, step, values, capabilities });
    } catch (error) {
      throw failed(error, { context, plan: request.plan, name: listener.name, phase });
    }
  }
}

interface StepRun {
  readonly listener: CompiledListener;
  readonly step: ListenerStep;
  readonly values: ListenerValues;
  readonly capabilities: Capabilities;
}

async function runStep(context: Context, run: HookRun, own: StepRun): Promise<void> {
  const { phase, request, runWrites } = run;
  const { listener, step, values, capabilities } = own;
  if (step.kind === 'idle') return;
  if (step.kind === 'execute') return executeStep(context, run, { listener, step, values });
  if (step.kind === 'expression') {
    const isRefusal = valueOfStep(listener.name, step, values, capabilities) === false;
    if (isRefusal && phase !== 'error') throw new EngineError('listener-failed', 'it is false');
    return;
  }
  const { root, stage } = request.plan;
  const { own: queries } = context.listenerRegistry;
  const ready = queries.planOf(step.text, stage, request.plan.view);
  const { plan } = ready;
  if (sourceNames(plan.root).some((source) => source !== root.source)) {
    throw new EngineError('unsupported', 'it writes to another source than the request');
  }
  const data = dataOfStep(plan, values);
  const whole = { ...context, catalog: queries.catalog, plans: queries };
  await writeNow(whole, { ready, data, instant: request.instant }, runWrites);
}

/** Runs a write of a listener in the transaction. */
async function writeNow(context: Context, order: WriteOrder, runWrites: RunWrites): Promise<void> {
  const prepared = prepareWrite(context, { ...order, isUnanswered: true });
  if (!prepared.isEmpty) await prepared.run(runWrites);
}

/** Defers a write to another source. A query that reads does nothing. */
async function executeStep(
  context: Context,
  { phase, request, runWrites, deferred }: HookRun,
  { listener, step, values }: Pick<StepRun, 'listener' | 'values'> & { readonly step: ExecuteStep },
): Promise<void> {
  const { text, data, stage, view } = executionOf(step, values, request.plan);
  const ready = context.plans.planOf(text, stage, view);
  const { root } = ready.plan;
  if (!root.write) return;
  const order: WriteOrder = { ready, data, instant: request.instant };
  if (sourceNames(root).some((source) => source !== request.plan.root.source)) {
    deferred.push({ listener: listener.name, phase, order });
    return;
  }
  await writeNow(context, order, runWrites);
}

function valuesOf({ plan, data = null }: HookedRequest): ListenerValues {
  return { query: plan.expression, data, ...planValues(plan), result: null, error: null };
}

/** The values that are the same for all requests of a plan. */
function planValues({ stage, view, root }: CompiledQuery): ListenerValues {
  const { entity, clause, source, dialect } = root;
  return { options: { stage, view }, entity, action: clause, clause, source, dialect };
}

/** Temporary errors, which are not caused by the listener. */
const passing: ReadonlySet<SourceErrorCode> = new Set([
  'serialization-failure',
  'cached-plan-invalid',
  'statement-timeout',
  'source-unavailable',
  'outcome-unknown',
  'cancelled',
  'queue-timeout',
]);

/** A listener of a request that failed. */
interface FailedListener {
  readonly context: Context;
  readonly plan: CompiledQuery;
  readonly name: string;
  readonly phase: ListenerPhase;
}

/** The error for a request whose listener failed. */
export function failed(error: unknown, { context, plan, name, phase }: FailedListener): unknown {
  if (error instanceof SourceError && passing.has(error.code)) return error;
  if (!(error instanceof EngineError) && !(error instanceof SourceError)) return error;
  const reason = seesReasons(context, plan) ? `: ${error.message}` : '';
  const message = `Listener '${name}' (${phase}) stopped the request${reason}`;
  const fault = new EngineError('listener-failed', asSentence(message));
  fault.cause = error;
  return fault;
}
