/**
 * Idempotency records: the answer of a request is stored under its key, in the transaction of its
 * writes. A repeated key returns that answer without writing.
 */
import type { Lease } from '../database/lease.js';
import { readTexts } from '../database/read-texts.js';
import { SourceError } from '../database/source-error.js';
import type { Source } from '../database/source.js';
import type { RequestKey } from '../protocol.js';

/** A transaction whose answer is stored. */
interface KeyedTransaction {
  readonly lease: Lease;
  readonly source: Source;
  /** How long an answer is stored, in milliseconds. */
  readonly keepMs: number;
}

/**
 * Waits for another transaction that has claimed the key. Returns the stored answer, if there is
 * one. Rejects with `idempotency-key-reused` if it belongs to a different request.
 */
export async function claimKey(
  transaction: KeyedTransaction,
  request: RequestKey,
): Promise<string | undefined> {
  try {
    return await claim(transaction, request);
  } catch (error) {
    const { missingTable } = transaction.source.driver.idempotency;
    const isMissing = error instanceof SourceError && error.sqlstate === missingTable;
    if (!isMissing) throw unavailable(error);
  }
  try {
    await createTable(transaction);
    return await claim(transaction, request);
  } catch (error) {
    throw unavailable(error);
  }
}

/** One write in this many deletes expired records, which is often enough. */
const PURGE_EVERY = 100;
/** The most records that one purge deletes. */
const PURGE_ROWS = 1000;
const turns = new WeakMap<Source, number>();
const purged = new WeakSet<Source>();

/** Deletes some expired records now and then, after a commit. Nothing waits for that. */
export function purgeRecords({ source, keepMs }: Omit<KeyedTransaction, 'lease'>): void {
  const turn = turns.get(source) ?? 0;
  turns.set(source, turn + 1);
  if (turn % PURGE_EVERY !== 0 || purged.has(source)) return;
  purged.add(source);
  void purge(source, keepMs).finally(() => purged.delete(source));
}

async function purge(source: Source, keepMs: number): Promise<void> {
  const { closing } = source;
  const { idempotency, transactions } = source.driver;
  const mode = { isolation: transactions.usualIsolation, readOnly: false };
  try {
    await source.withLease(closing, { mode }, async (lease) => {
      const keys = await readTexts(lease, idempotency.lockExpired(keepMs, PURGE_ROWS));
      if (keys.length > 0) await lease.commit([idempotency.remove(keys.map(([key]) => key ?? ''))]);
      else await lease.commit();
    });
  } catch (error) {
    // The write is committed, so an error here changes nothing.
    if (!(error instanceof SourceError)) throw error;
  }
}

async function claim(
  {
    lease,
    source: {
      driver: { idempotency },
    },
    keepMs,
  }: KeyedTransaction,
  { key, fingerprint }: RequestKey,
): Promise<string | undefined> {
  const [taken] = await readTexts(lease, idempotency.claim(key, fingerprint, keepMs));
  if (taken) return undefined;
  const [[first, answer] = []] = await readTexts(lease, idempotency.find(key));
  // The record expired and was deleted meanwhile.
  if (first === undefined) throw new SourceError('serialization-failure');
  if (first !== fingerprint) throw new SourceError('idempotency-key-reused');
  // Only the transaction that claimed the key can see it without an answer.
  return answer ?? undefined;
}

async function createTable({ lease, source }: KeyedTransaction): Promise<void> {
  await lease.rollBack();
  await lease.commit(source.driver.idempotency.create);
}

const unusable: ReadonlySet<string> = new Set(['schema-mismatch', 'permission-denied']);

/** A table that cannot be created or used is an error of the configuration. */
function unavailable(error: unknown): unknown {
  if (!(error instanceof SourceError) || !unusable.has(error.code)) return error;
  const { sqlstate } = error;
  return new SourceError('idempotency-unavailable', { sqlstate, cause: error });
}
