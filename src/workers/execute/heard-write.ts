/** Writes that the listeners of the schema hear. */
import type { CompiledQuery, DataValue } from '../../engine/index.js';
import type { Context } from '../context.js';
import { noteFailure } from '../failure-notes.js';
import { parseAnswer } from '../tasks/parse-data.js';
import { type LaterWrite, runLater } from './later-writes.js';
import {
  asksResult,
  failed,
  type HeardRequest,
  held,
  type ListenerRun,
  listenersOf,
  runListeners,
} from './listeners.js';
import { type PreparedWrite, prepareWrite, roundsOn, type WriteOrder } from './prepare-write.js';
import { createCancellation } from '../cancellation.js';

/** A write with its listeners. */
export interface HeardWrite extends PreparedWrite {
  /** What listeners write once it is committed; filled by its last run. */
  readonly later: readonly LaterWrite[];
}

/** Reads and checks the data; what runs has the listeners around it. Throws an `EngineError`. */
export function prepareHeardWrite(context: Context, order: WriteOrder): HeardWrite {
  const prepared = prepareWrite(context, order);
  const request = requestOf(order);
  const listeners = listenersOf(context, request.plan);
  const later: LaterWrite[] = [];
  if (listeners.length === 0 || prepared.isEmpty) return { ...prepared, later };
  return {
    isEmpty: false,
    later,
    async run(rounds) {
      later.length = 0;
      const around = { listeners, request, later, rounds: held(rounds) };
      await runListeners(context, { ...around, phase: 'before' });
      const text = await prepared.run(held(rounds));
      const result = asksResult(listeners) ? resultOf(text, order) : null;
      await runListeners(context, { ...around, phase: 'after', more: { result } });
      await rounds([], true, request.plan.root);
      return text;
    },
  };
}

/**
 * Lets the `error` listeners of a request hear its failure, in a transaction of their own: call it
 * when all is undone. Their own failures are logged with what is told of it, and change nothing.
 */
export async function hearFailure(
  context: Context,
  request: HeardRequest,
  error: unknown,
  told: unknown = error,
): Promise<void> {
  const listeners = listenersOf(context, request.plan).filter(({ steps }) => steps.error);
  if (listeners.length === 0) return;
  const more = { error: { code: codeOf(error), message: messageOf(error) } };
  for (const listener of listeners) {
    try {
      await runApart(context, { listeners: [listener], phase: 'error', request, more });
    } catch (other) {
      noteFailure(told, other);
    }
  }
}

/** Runs a phase beside a request that writes nothing itself. */
export async function runBeside(
  context: Context,
  request: HeardRequest,
  phase: 'before' | 'after',
): Promise<void> {
  const listeners = listenersOf(context, request.plan).filter(({ steps }) => steps[phase]);
  if (listeners.length === 0) return;
  await runApart(context, { listeners, phase, request });
}

/** Runs listeners in a transaction of their own, then what they write elsewhere. */
async function runApart(
  context: Context,
  run: Omit<ListenerRun, 'rounds' | 'later'>,
): Promise<void> {
  const later: LaterWrite[] = [];
  await inOwnTransaction(context, run.request.plan, (rounds) =>
    runListeners(context, { ...run, rounds, later }),
  );
  for (const one of later) {
    await runLater(context, one).catch((error: unknown) => {
      throw failed(one.listener, one.phase, error);
    });
  }
}

/** What a listener is told of a write. */
export function requestOf({ ready, data, instant }: WriteOrder): HeardRequest {
  return { plan: ready.plan, data, instant };
}

async function inOwnTransaction(
  context: Context,
  { root }: CompiledQuery,
  work: (rounds: ReturnType<typeof roundsOn>) => Promise<void>,
): Promise<void> {
  const source = context.sources.get(root.source);
  const cancellation = createCancellation();
  const session = await source.openSession(cancellation);
  try {
    const rounds = roundsOn(session, source);
    let hasRun = false;
    await work((statements, last, sentence) => {
      hasRun = true;
      return rounds(statements, last, sentence);
    });
    if (hasRun) await rounds([], true, root);
  } finally {
    session.release();
  }
}

/** The answer as data: one object, a list of them, or the number of rows. */
function resultOf(text: string, { form, ready }: WriteOrder): DataValue {
  const { write } = ready.plan.root;
  const isLines = form === 'lines' && write?.kind === 'rows' && write.shape === 'many';
  return parseAnswer(isLines ? `[${text.trimEnd().replaceAll('\n', ',')}]` : text);
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : 'internal';
}

/** Of a fault of ours nothing is told. */
function messageOf(error: unknown): string {
  return error instanceof Error && codeOf(error) !== 'internal' ? error.message : 'internal';
}
