/**
 * Answers that are kept under the keys of their requests, in the transaction that they tell of: a
 * key that is sent again gets the answer of the first time, and nothing is written.
 */
import { SourceError } from '../database/source-error.js';
import type { KeptAnswers, Source, TransactionSession } from '../database/source.js';

/** The key of a request, and what tells its request from any other. */
export interface RequestKey {
  readonly key: string;
  readonly fingerprint: string;
}

interface KeyedSession {
  readonly session: TransactionSession;
  readonly source: Source;
  readonly kept: KeptAnswers;
  /** How long an answer is kept, in milliseconds. */
  readonly keepMs: number;
}

/**
 * Takes the key for the transaction that begins here, waiting for another one that has it; gives the
 * answer that is kept under it, if there is one. Rejects with `idempotency-key-reused` when that is
 * another request's.
 */
export async function claimKey(
  keyed: KeyedSession,
  request: RequestKey,
): Promise<string | undefined> {
  try {
    return await claim(keyed, request);
  } catch (error) {
    if (!keyed.kept.isMissing(error)) throw unavailable(error);
  }
  await createTable(keyed);
  return claim(keyed, request).catch((error: unknown) => {
    throw unavailable(error);
  });
}

/** After the first of so many, which keeps up with the rows that are added. */
const SWEEP_EVERY = 100;
const turns = new WeakMap<Source, number>();

/** After a commit: now and then deletes some of the answers whose time is over. */
export async function sweepKept({ session, source, kept, keepMs }: KeyedSession): Promise<void> {
  const turn = turns.get(source) ?? 0;
  turns.set(source, turn + 1);
  if (turn % SWEEP_EVERY !== 0) return;
  try {
    await session.commit([kept.sweep(keepMs)]);
  } catch (error) {
    // What was written is committed, whatever becomes of the rows that are left.
    if (!(error instanceof SourceError)) throw error;
  }
}

async function claim(
  { session, kept, keepMs }: KeyedSession,
  { key, fingerprint }: RequestKey,
): Promise<string | undefined> {
  const [taken] = await session.fetch([kept.claim(key, fingerprint, keepMs)], 0, true);
  if (taken && taken.length > 0) return undefined;
  const [found] = await session.fetch([kept.find(key)], 0, true);
  const [first, answer] = found?.[0] ?? [];
  // Its time ended in between, and somebody swept it away.
  if (first === undefined) throw new SourceError('serialization-failure');
  if (first !== fingerprint) throw new SourceError('idempotency-key-reused');
  // Only the transaction that has taken the key sees it without an answer.
  return answer ?? undefined;
}

async function createTable({ session, kept }: KeyedSession): Promise<void> {
  await session.rollBack();
  try {
    await session.commit(kept.create);
  } catch (error) {
    throw unavailable(error);
  }
}

/** A table that cannot be made or used is the set-up's fault. */
function unavailable(error: unknown): unknown {
  if (!(error instanceof SourceError) || error.code !== 'schema-mismatch') return error;
  const { sqlstate } = error;
  return new SourceError('idempotency-unavailable', { sqlstate, cause: error });
}
