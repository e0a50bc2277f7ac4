/** Executes a plan that reads with the data of a request. */
import { type ParameterValues, readArguments, type RowsForm } from '../../engine/index.js';
import type { Cancellation } from '../cancellation.js';
import type { Context } from '../context.js';
import { SourceError, type SourceErrorCode } from '../database/source-error.js';
import type { Answer } from './answer.js';
import { runBeside, runErrorHooks } from './hooks-apart.js';
import { listenersOf } from './hooks.js';
import { openCursor, PageCursor } from './page-cursor.js';
import { namedFault } from './parameter-fault.js';
import { read, sourceNames } from './read.js';
import {
  isPlanInvalid,
  isUnavailable,
  rollBackAll,
  type Leases,
  withLeases,
} from './with-leases.js';
import type { ReadyPlan } from '../plans.js';
import { parseData } from '../parse-data.js';

/** What to execute, and where the answer goes. */
export interface ExecuteTask {
  readonly ready: ReadyPlan;
  readonly values: ParameterValues;
  readonly form: RowsForm;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
  /** For listeners: the JSON text of the data, and when the request arrived. */
  readonly data?: string | undefined;
  readonly receivedAt?: number;
  readonly comment?: string | undefined;
  /** Called when the first statement begins. */
  readonly onStart?: () => void;
  /** Called when the first part of the answer has left. */
  readonly onStreamed?: () => void;
}

/** The instant (ISO 8601) is the value of `now()`, for plans that use it. */
export function readData(
  ready: ReadyPlan,
  data: string | undefined,
  instant: string | undefined,
): ParameterValues {
  const { plan } = ready;
  const plain = data === undefined ? undefined : ready.readPlain?.(data);
  if (plain) return plain;
  const parsed = parseData(data);
  ready.checkData(parsed);
  return readArguments(plan, openCursor(plan, parsed), instant);
}

/** Writes the whole answer without ending it. Rejects with an `EngineError` or a `SourceError`. */
export async function execute(context: Context, task: ExecuteTask): Promise<void> {
  const { plan } = task.ready;
  if (listenersOf(context, plan).length === 0) return readRows(context, task);
  const instant = new Date(task.receivedAt ?? Date.now()).toISOString();
  const request = { plan, data: parseData(task.data), instant };
  let hasStored = false;
  const onStored = (): void => void (hasStored = true);
  try {
    await runBeside(context, request, 'before', onStored);
    await readRows(context, task);
    await runBeside(context, request, 'after', onStored);
  } catch (error) {
    const answered = hasStored ? notRepeatable(error) : error;
    await runErrorHooks(context, request, error, answered);
    throw answered;
  }
}

/** The errors after which clients send a request again. */
const repeatable: ReadonlySet<SourceErrorCode> = new Set([
  'queue-full',
  'queue-timeout',
  'serialization-failure',
  'source-unavailable',
]);

/** The error of a query whose listeners have stored something, which they would store again. */
function notRepeatable(error: unknown): unknown {
  if (!(error instanceof SourceError) || !repeatable.has(error.code)) return error;
  const detail = `Stored: what the listeners of the query write. Not read: its rows. ${error.message}`;
  return new SourceError('stored-in-part', { detail, cause: error });
}

/** The connections of streamed answers are all in use. */
class TooManyStreams extends Error {}

/** Reads again, as a stream from the start, if the answer turned out large while too many were streamed. */
async function readRows(context: Context, task: ExecuteTask): Promise<void> {
  try {
    await readRowsOnce(context, task, false);
  } catch (error) {
    if (!(error instanceof TooManyStreams)) throw error;
    task.answer.restart();
    task.onStreamed?.();
    await readRowsOnce(context, task, true);
  }
}

/** `isLarge`: the answer is streamed, whatever the last answer of the plan was. */
async function readRowsOnce(context: Context, task: ExecuteTask, isLarge: boolean): Promise<void> {
  const { values, answer, cancellation, form, onStart, onStreamed } = task;
  const ready = context.plans.variant(task.ready, values.variant);
  const { root } = ready.plan;
  const { rowsMax } = context.settings;
  const { cursor } = ready.plan;
  const page = cursor && new PageCursor(cursor, values);
  if (page) answer.hold(context.settings.transactionAnswerBytesMax);
  const own = ready.writer(form);
  const writer = page ? page.watch(own) : own;
  const order = { plan: ready.plan, writer, values, answer, rowsMax };
  const { sources } = context;
  const isStreamed = isLarge || ready.isStreamed;
  const { comment } = task;
  const names = sourceNames(root);
  const mayRepeat = (error: unknown): boolean => isUnavailable(error) && !answer.hasLeft;
  const leasing = { sources, names, cancellation, flow: root, isStreamed, comment, mayRepeat };
  const restart = (): void => {
    answer.restart();
    page?.restart();
  };
  const forget = cancellation.onCancel(() => answer.letGo());
  try {
    await withLeases(leasing, async (leases) => {
      answer.onFirstPart = () => {
        if (cancellation.isCancelled) throw new SourceError('cancelled');
        ready.isStreamed = true;
        if (!isStreamed && !holdForLong(context, leases)) throw new TooManyStreams();
        onStreamed?.();
      };
      onStart?.();
      restart();
      try {
        await read(order, leases);
      } catch (error) {
        if (!isPlanInvalid(error) || answer.hasLeft) throw error;
        restart();
        await rollBackAll(leases);
        await read(order, leases);
      }
      ready.isStreamed = answer.hasLeft;
      answer.next = page?.next();
    });
  } catch (error) {
    throw namedFault(error, root);
  } finally {
    forget();
  }
}

/**
 * Counts connections of an answer that turned out to be streamed among those that slow readers hold; returns
 * false if these hold too many already.
 */
function holdForLong({ sources }: Context, leases: Leases): boolean {
  return [...leases].every(([name, lease]) => sources.get(name).pool.holdForLong(lease.connection));
}
