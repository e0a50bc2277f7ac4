/** Runs hooks in separate transactions: for reads, and after failures. */
import { createCancellation } from '../cancellation.js';
import type { Context } from '../context.js';
import { addSuppressed } from '../suppressed-errors.js';
import { codeOf, type DeferredWrite, runDeferred } from './deferred-writes.js';
import { failed, type HookedRequest, type HookRun, listenersOf, runHooks } from './hooks.js';
import { LazyLease } from './lazy-lease.js';
import { repeatOnConflict } from './repeat.js';

/** Runs the hooks of a phase for a request that does not write. `onStored`: called when they have stored something. */
export async function runBeside(
  context: Context,
  request: HookedRequest,
  phase: 'before' | 'after',
  onStored: () => void,
): Promise<void> {
  const listeners = listenersOf(context, request.plan).filter(({ steps }) => steps[phase]);
  if (listeners.length > 0) await runApart(context, { listeners, phase, request }, onStored);
}

/**
 * Runs the `error` hooks of a failed request. Must be called after the rollback. The failure of a hook
 * is logged together with `answered`, the error of the request, and changes nothing.
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

/** Runs hooks in their own transaction, then their writes to other sources. */
async function runApart(
  context: Context,
  run: Omit<HookRun, 'runWrites' | 'deferred'>,
  onStored: () => void = () => undefined,
): Promise<void> {
  const deferred: DeferredWrite[] = [];
  const source = context.sources.get(run.request.plan.root.source);
  const cancellation = createCancellation();
  const lease = new LazyLease(source, cancellation);
  const repetition = { cancellation, settings: context.settings, rollBack: () => lease.rollBack() };
  const running = repeatOnConflict(repetition, async () => {
    deferred.length = 0;
    await runHooks(context, { ...run, deferred, runWrites: (all) => lease.write(all, false) });
    await lease.commit();
  });
  await running.finally(() => lease.release());
  if (lease.isTaken) onStored();
  for (const one of deferred) {
    await runDeferred(context, one).catch((error: unknown) => {
      const { plan } = run.request;
      throw failed(error, { context, plan, name: one.listener, phase: one.phase });
    });
    onStored();
  }
}

/** Internal errors are not described. */
function messageOf(error: unknown): string {
  return error instanceof Error && codeOf(error) !== 'internal' ? error.message : 'internal';
}
