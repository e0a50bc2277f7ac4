/**
 * Writes of listeners to sources other than the request's. Each runs separately after the request has
 * been committed. If one fails, the request stays committed, and the error says so.
 */
import type { CompiledQuery, ListenerPhase, StatementPlan } from '../../engine/index.js';
import type { Context } from '../context.js';
import { createCancellation } from '../cancellation.js';
import { SourceError } from '../database/source-error.js';
import { addSuppressed } from '../suppressed-errors.js';
import { prepareWrite, type WriteOrder } from './prepare-write.js';
import { runWrite } from './run-write.js';

export interface DeferredWrite {
  readonly listener: string;
  readonly phase: ListenerPhase;
  readonly order: WriteOrder;
}

/** Writes in a separate transaction. */
export async function runDeferred(context: Context, { order }: DeferredWrite): Promise<void> {
  const prepared = prepareWrite(context, { ...order, isUnanswered: true });
  await runWrite(context, { ready: order.ready, cancellation: createCancellation() }, prepared);
}

/** Executes all, even if some fail; then rejects with `stored-in-part`. `stored` are the committed plans. */
export async function runAllDeferred(
  context: Context,
  stored: readonly CompiledQuery[],
  deferred: readonly DeferredWrite[],
): Promise<void> {
  const isOpen = stored.every((plan) => seesReasons(context, plan));
  const done = stored.flatMap(({ root }) => (root.write ? partsOf(root) : []));
  const failed: { readonly one: DeferredWrite; readonly error: unknown }[] = [];
  for (const one of deferred) {
    try {
      await runDeferred(context, one);
      if (isOpen) done.push(...partsOf(one.order.ready.plan.root));
    } catch (error) {
      failed.push({ one, error });
    }
  }
  if (failed.length > 0) throw failure(done, failed, isOpen);
}

/** Whether errors of listeners may say why: they see everything, so a view hides it. */
export function seesReasons({ catalog }: Context, { view }: CompiledQuery): boolean {
  return catalog.unrestricted.view(view)?.entities.length === 0;
}

function failure(
  done: readonly string[],
  failed: readonly { readonly one: DeferredWrite; readonly error: unknown }[],
  isOpen: boolean,
): SourceError {
  const lost = failed.map(({ one: { listener, phase, order }, error }) => {
    const parts = isOpen ? partsOf(order.ready.plan.root).join('; ') : 'what is written';
    const isUnknown = error instanceof SourceError && error.code === 'outcome-unknown';
    const what = isUnknown ? 'Not known to be stored' : 'Not stored';
    const isTold = isOpen && error instanceof Error && codeOf(error) !== 'internal';
    const why = isTold ? ` ${error.message}` : '';
    return `${what}: ${parts}, by listener '${listener}' (${phase}).${why}`;
  });
  const first = done.length === 0 ? [] : [`Stored: ${[...new Set(done)].join('; ')}.`];
  const [cause] = failed.map(({ error }) => error);
  const failure = new SourceError('stored-in-part', {
    detail: [...first, ...lost].join(' '),
    cause,
  });
  for (const { error } of failed) addSuppressed(failure, error);
  return failure;
}

export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : 'internal';
}

/** `source 'Crm' (Orders, Orders.details)` */
function partsOf(root: StatementPlan): string[] {
  const entities = new Map<string, Set<string>>();
  collectEntities(root, entities);
  return [...entities].map(([source, names]) => `source '${source}' (${[...names].join(', ')})`);
}

function collectEntities(statement: StatementPlan, into: Map<string, Set<string>>): void {
  const names = into.get(statement.source) ?? new Set<string>();
  into.set(statement.source, names.add(statement.entity));
  for (const include of statement.includes) collectEntities(include.statement, into);
}
