/** Executes a list of plans in one transaction on one connection. */
import { EngineError, OutputBytes } from '../../engine/index.js';
import type { Context } from '../context.js';
import type { Lease } from '../database/lease.js';
import { SourceError } from '../database/source-error.js';
import type { Source } from '../database/source.js';
import { type DeferredWrite, runAllDeferred } from '../execute/deferred-writes.js';
import { runErrorHooks } from '../execute/hooks-apart.js';
import { claimKey, purgeRecords } from '../execute/idempotency.js';
import { sourceNames } from '../execute/read.js';
import { repeatOnConflict } from '../execute/repeat.js';
import { applySettings, resetRole } from '../execute/session-settings.js';
import { WHOLE_BYTES_MAX } from '../execute/spare-outputs.js';
import { isUnavailable, leaseOf, withLeases } from '../execute/with-leases.js';
import { StepFault } from '../problems.js';
import { readableData } from '../parse-data.js';
import { TimeLimit } from './time-limit.js';
import { prepareSteps, type RunStep, runSteps, type TransactionTask } from './transaction-steps.js';

/** After the commit, writes the whole answer without ending it. */
export async function runTransaction(context: Context, task: TransactionTask): Promise<void> {
  const plans = task.steps.map(({ ready }) => ready.plan);
  const deferred = await transactWithHooks(context, task);
  await runAllDeferred(context, plans, deferred);
  const { next, out } = task.answer;
  if (next === undefined && out.length >= WHOLE_BYTES_MAX) await sendParts(task);
}

/** The writes of listeners that run after the commit. */
type Deferred = readonly DeferredWrite[];

async function transactWithHooks(context: Context, task: TransactionTask): Promise<Deferred> {
  try {
    return await transact(context, task);
  } catch (error) {
    task.answer.restart();
    const { steps, instant, isSingle } = task;
    const cause = causeOf(error);
    const answered = isSingle ? cause : error;
    // If the commit failed, all steps have.
    const failed = steps.filter((_, at) => !(error instanceof StepFault) || error.step === at);
    for (const { ready, data } of failed) {
      // Reading the data may be what failed.
      const request = { plan: ready.plan, data: readableData(data), instant };
      await runErrorHooks(context, request, cause, answered);
    }
    throw answered;
  }
}

async function transact(context: Context, task: TransactionTask): Promise<Deferred> {
  refuseWrites(task);
  const source = sourceOf(context, task);
  const steps = prepareSteps(context, task);
  const { cancellation, comment, readOnly, isSingle, requestKey } = task;
  const { usualIsolation } = source.driver.transactions;
  const writes = task.steps.some(({ ready }) => ready.plan.root.write);
  const isolation = task.isolation ?? (isSingle && writes ? usualIsolation : undefined);
  // With a key, it may have been committed although the connection was lost.
  const onlyReads = requestKey === undefined && !writes;
  const mayRepeat = (error: unknown): boolean => onlyReads && isUnavailable(causeOf(error));
  const { sources } = context;
  const mode = { isolation, readOnly };
  const order = { sources, names: [source.name], cancellation, mode, comment, mayRepeat };
  const done = await withLeases(order, async (leases) => {
    const lease = leaseOf(leases, source.name);
    const limit = new TimeLimit(context.settings.transactionTimeoutMs, () => lease.expire());
    // The time limit of the transaction counts.
    const settings = { ...context.settings, statementTimeoutMs: 0 };
    const repetition = { cancellation, settings, rollBack: () => lease.rollBack(), causeOf };
    try {
      return await repeatOnConflict(repetition, () =>
        runOnce(context, task, { lease, source, steps, limit }),
      );
    } finally {
      limit.close();
    }
  });
  if (requestKey) purgeRecords({ source, keepMs: context.settings.idempotencyMs });
  return done;
}

interface Run {
  readonly lease: Lease;
  readonly source: Source;
  readonly steps: readonly RunStep[];
  readonly limit: TimeLimit;
}

function causeOf(error: unknown): unknown {
  return error instanceof StepFault ? error.cause : error;
}

async function runOnce(context: Context, task: TransactionTask, run: Run): Promise<Deferred> {
  const { lease, source, limit } = run;
  const { transactionAnswerBytesMax, idempotencyMs: keepMs } = context.settings;
  const { answer, requestKey, settings } = task;
  const { keep } = source.driver.idempotency;
  const keyed = { lease, source, keepMs };
  const first = requestKey && (await claimKey(keyed, requestKey));
  answer.restart();
  answer.hold(transactionAnswerBytesMax);
  if (first !== undefined) {
    answer.out.constant(Buffer.from(first));
    return [];
  }
  if (settings) await applySettings(lease, source, settings);
  const deferred: DeferredWrite[] = [];
  const ends = await runSteps(run.steps, { lease, answer, deferred });
  if (!task.isSingle) frameAnswers(task, ends);
  const last = requestKey ? [keep(requestKey.key, textOf(answer))] : [];
  if (requestKey && settings) last.unshift(resetRole);
  // If a commit were cancelled, its outcome would be unknown.
  await limit
    .without(() => lease.commit(last))
    .catch((error: unknown) => {
      throw requestKey ? repeatable(error) : error;
    });
  return deferred;
}

function textOf({ out }: TransactionTask['answer']): string {
  return Buffer.from(out.bytes.buffer, 0, out.length).toString();
}

/** A request with a key can be sent again, whether it was committed or not. */
function repeatable(error: unknown): unknown {
  const isUnknown = error instanceof SourceError && error.code === 'outcome-unknown';
  return isUnknown ? new SourceError('source-unavailable', { cause: error }) : error;
}

function refuseWrites({ steps, readOnly }: TransactionTask): void {
  const index = readOnly ? steps.findIndex(({ ready }) => ready.plan.root.write) : -1;
  if (index === -1) return;
  const message = 'The transaction is read-only, and this step writes.';
  throw new StepFault(index, new EngineError('write-in-read-only', message));
}

/** The only source of all steps and their includes. */
function sourceOf(context: Context, { steps, isSingle, requestKey }: TransactionTask): Source {
  const names = new Set(steps.flatMap(({ ready }) => sourceNames(ready.plan.root)));
  const [name = '', ...others] = [...names].sort();
  if (others.length === 0) return context.sources.get(name);
  const all = [name, ...others].map((each) => `'${each}'`).join(', ');
  const reason = requestKey ? 'an idempotency key' : 'settings or limits of its key or token';
  const message = isSingle
    ? `A query with ${reason} runs on one source, but it uses several: ${all}.`
    : `A transaction runs on one source, but its steps use several: ${all}.`;
  throw new EngineError('unsupported', message);
}

const list = {
  compact: { open: '[', separator: ',', close: ']' },
  pretty: { open: '[\n  ', separator: ',\n  ', close: '\n]' },
};

/** Makes a list of the answers of the steps. */
function frameAnswers({ answer: { out }, form }: TransactionTask, ends: readonly number[]): void {
  const { open, separator, close } = form === 'pretty' ? list.pretty : list.compact;
  const answers = Buffer.from(out.take().buffer);
  let start = 0;
  for (const end of ends) {
    const answer = answers.subarray(start, end);
    out.constant(Buffer.from(start === 0 ? open : separator));
    const bytes = form === 'pretty' ? indented(answer) : answer;
    out.copy(bytes, 0, bytes.length);
    start = end;
  }
  out.constant(Buffer.from(close));
}

/** The answer has line breaks only between its parts. */
function indented(answer: Buffer): Buffer {
  return Buffer.from(answer.toString('utf8').replaceAll('\n', '\n  '), 'utf8');
}

const PART_BYTES = 64 * 1024;

async function sendParts({ answer, cancellation }: TransactionTask): Promise<void> {
  const bytes = answer.out.handOver(new OutputBytes(PART_BYTES));
  answer.release();
  const forget = cancellation.onCancel(() => answer.letGo());
  try {
    for (let start = 0; start < bytes.length; start += PART_BYTES) {
      answer.out.copy(bytes, start, Math.min(start + PART_BYTES, bytes.length));
      answer.written();
      await answer.drained();
    }
  } finally {
    forget();
  }
}
