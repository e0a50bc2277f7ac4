/** Hooks in transactions of their own: around requests that only read, and after failures. */
import { createCancellation } from '../cancellation.js';
import type { Context } from '../context.js';
import { addSuppressed } from '../suppressed-errors.js';
import { type DeferredWrite, runDeferred } from './deferred-writes.js';
import { failed, type HookedRequest, type HookRun, listenersOf, runHooks } from './hooks.js';
import { LazyLease } from './lazy-lease.js';

/** Runs a phase beside a request that writes nothing itself. */
export async function runBeside(
  context: Context,
  request: HookedRequest,
  phase: 'before' | 'after',
): Promise<void> {
  const listeners = listenersOf(context, request.plan).filter(({ steps }) => steps[phase]);
  if (listeners.length > 0) await runApart(context, { listeners, phase, request });
}

/**
 * Runs the `error` hooks of a request that failed: call it when all is undone. Their own failures are
 * logged beside `answered`, the error that the request is answered with, and change nothing.
 */
export async function runErrorHooks(
  context: Context,
  request: HookedRequest,
  error: unknown,
  answered: unknown = error,
): Promise<void> {
  const more = { error: { code: codeOf(error), message: messageOf(error) } };
  for (const listener of listenersOf(context, request.plan)) {
    if (!listener.steps.error) continue;
    try {
      await runApart(context, { listeners: [listener], phase: 'error', request, more });
    } catch (other) {
      addSuppressed(answered, other);
    }
  }
}

/** Runs hooks in a transaction of their own, then what they write elsewhere. */
async function runApart(
  context: Context,
  run: Omit<HookRun, 'runWrites' | 'deferred'>,
): Promise<void> {
  const deferred: DeferredWrite[] = [];
  const source = context.sources.get(run.request.plan.root.source);
  const lease = new LazyLease(source, createCancellation());
  try {
    await runHooks(context, { ...run, deferred, runWrites: (all) => lease.write(all, false) });
    await lease.commit();
  } finally {
    lease.release();
  }
  for (const one of deferred) {
    await runDeferred(context, one).catch((error: unknown) => {
      throw failed(one.listener, one.phase, error);
    });
  }
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : 'internal';
}

/** Of a fault of ours nothing is told. */
function messageOf(error: unknown): string {
  return error instanceof Error && codeOf(error) !== 'internal' ? error.message : 'internal';
}
