/**
 * Commits writes of several requests together: the waiting writes run as one transaction. If it
 * fails, it is rolled back, and each request runs by itself, so each gets only its own error. A
 * request is answered only after its commit.
 */
import { afterAnswers } from './after-answers.js';
import { type Cancellation, createCancellation } from '../cancellation.js';
import type { TakeOptions } from '../database/pool.js';
import { SourceError, type SourceErrorCode } from '../database/source-error.js';
import type { Source, StoredTable } from '../database/source.js';
import type { Statement, Written } from '../database/statement.js';
import { askBeside, LateAnswer } from './late-answer.js';
import type { ShortActivity } from './long-reads.js';
import { WriteMerger, type WriteStatement } from './merge-writes.js';
import { SlowStatements } from './slow-statements.js';

/** The most transactions in flight. While one commits, the next ones are built and run. */
const IN_FLIGHT_MAX = 3;
/** The most requests in a commit. If few are waiting, they are not divided among several. */
const SHARE_MAX = 128;
const SHARE_FEW = 24;
const SHARE_MIN = 4;
/** A shared transaction that takes longer is rolled back; it may be waiting for a lock. */
const PATIENCE_MS = 100;
/** Statements that take longer than this by themselves do not share commits for a while. */
const SLOW_MS = 50;
/** Statements whose parameters have more characters do not share commits. */
const CHARACTERS_MAX = 16 * 1024;

interface BatchedWrite {
  readonly statements: readonly WriteStatement[];
  readonly cancellation: Cancellation;
  /** By `performance.now()`. */
  readonly since: number;
  readonly resolve: (written: readonly Written[]) => void;
  readonly reject: (error: unknown) => void;
}

interface AloneOptions extends Pick<TakeOptions, 'since'> {
  /** Called if the statements take long, perhaps because they wait for a lock. */
  readonly onSlow?: () => void;
}

export class SharedCommits {
  readonly #source: Source;
  /** How long a write may wait for its transaction, in milliseconds. */
  readonly #waitMs: number;
  readonly #waiting: BatchedWrite[] = [];
  readonly #inFlight = new Set<object>();
  #shareMax = SHARE_MAX;
  #isScheduled = false;
  readonly #slow = new SlowStatements();

  readonly #merger: WriteMerger;
  /** By table: whether a rollback undoes writes to it. */
  readonly #undone = new Map<string, LateAnswer<boolean>>();

  readonly #shortActivity: ShortActivity;

  constructor(source: Source, shortActivity: ShortActivity, waitMs: number) {
    this.#source = source;
    // So long a transaction is waited for in any case.
    this.#waitMs = Math.max(waitMs, PATIENCE_MS);
    this.#shortActivity = shortActivity;
    this.#merger = new WriteMerger(source);
  }

  /** Whether writes are waiting for their transaction. */
  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Resolves when the statements are committed. They are all writes of the request, and take effect
   * together or not at all. Rejects with their own `SourceError`; other requests are not affected.
   */
  write(
    statements: readonly WriteStatement[],
    cancellation: Cancellation,
  ): Promise<readonly Written[]> {
    if (!this.#mayShare(statements)) return this.#runAlone(statements, cancellation);
    return new Promise((resolve, reject) => {
      const since = performance.now();
      this.#waiting.push({ statements, cancellation, since, resolve, reject });
      this.#schedule();
    });
  }

  #mayShare(statements: readonly Statement[]): boolean {
    let characters = 0;
    for (const { text, parameters, schema, table } of statements) {
      if (this.#slow.has(text)) return false;
      if (table !== undefined && !this.#rollsBack({ schema, table })) return false;
      for (const parameter of parameters) characters += parameter?.length ?? 0;
    }
    return characters <= CHARACTERS_MAX;
  }

  /** Whether the writes of others can be undone together with those to the table; false until the database has told. */
  #rollsBack(table: StoredTable): boolean {
    const { rollsBack } = this.#source.driver;
    if (!rollsBack) return true;
    const name = `${table.schema ?? ''}.${table.table}`;
    let answer = this.#undone.get(name);
    if (!answer) {
      answer = new LateAnswer(() => askBeside(this.#source, (lease) => rollsBack(lease, table)));
      this.#undone.set(name, answer);
    }
    return answer.value === true;
  }

  /** The first transaction is built when all requests of the message have been queued. */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight.size >= IN_FLIGHT_MAX) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    const evenly = Math.max(SHARE_FEW, Math.ceil(this.#waiting.length / IN_FLIGHT_MAX));
    const taken = this.#waiting.splice(0, Math.min(this.#shareMax, evenly));
    const earliest = performance.now() - this.#waitMs;
    const batchedWrites = taken.filter(({ cancellation, since, reject }) => {
      if (cancellation.isCancelled) reject(new SourceError('cancelled'));
      else if (since < earliest) reject(new SourceError('queue-timeout'));
      else return true;
      return false;
    });
    if (batchedWrites.length > 0) this.#begin(batchedWrites);
    if (this.#waiting.length > 0) this.#schedule();
  }

  #begin(batchedWrites: readonly BatchedWrite[]): void {
    const flight = {};
    const leave = (): void => {
      this.#inFlight.delete(flight);
      if (this.#waiting.length > 0) this.#schedule();
    };
    this.#inFlight.add(flight);
    const [first] = batchedWrites;
    const running =
      first && batchedWrites.length === 1
        ? this.#runOne(first, { since: first.since, onSlow: leave })
        : this.#runTogether(batchedWrites);
    void running.finally(leave);
  }

  async #runTogether(batchedWrites: readonly BatchedWrite[]): Promise<void> {
    // If all transactions lock rows in the same order, they cannot deadlock.
    const ordered = [...batchedWrites].sort(byStatement);
    const given = ordered.flatMap(({ statements }) =>
      // The statements of one request run in their order.
      statements.length === 1 ? statements : statements.map(alone),
    );
    try {
      const merged = this.#merger.merge(given);
      const since = Math.max(...batchedWrites.map((write) => write.since));
      const written = merged.split(await this.#runShared(merged.statements, since));
      this.#shortActivity.saw();
      this.#shareMax = Math.min(SHARE_MAX, this.#shareMax + (this.#shareMax >> 2));
      let at = 0;
      for (const { statements, resolve } of ordered) {
        resolve(written.slice(at, at + statements.length));
        at += statements.length;
      }
    } catch (error) {
      if (isLost(error)) {
        for (const { reject } of batchedWrites) reject(error);
        return;
      }
      if (isMisfit(error)) this.#merger.giveUp(given);
      this.#shareMax = Math.max(SHARE_MIN, this.#shareMax >> 1);
      // Not awaited, because other writes need not wait for these.
      for (const batchedWrite of batchedWrites) void this.#runOne(batchedWrite);
    }
  }

  /** `since`: when the last of the writes began to wait. */
  #runShared(statements: readonly Statement[], since: number): Promise<readonly Written[]> {
    return this.#source.withLease(createCancellation(), { flow: this, since }, (lease) => {
      const forget = afterAnswers(PATIENCE_MS, () => lease.cancel());
      return lease.write(statements, true, { isExplained: false }).finally(forget);
    });
  }

  #runOne(write: BatchedWrite, options?: AloneOptions): Promise<void> {
    const { statements, cancellation, resolve, reject } = write;
    return this.#runAlone(statements, cancellation, options).then(resolve, reject);
  }

  #runAlone(
    statements: readonly Statement[],
    cancellation: Cancellation,
    options: AloneOptions = {},
  ): Promise<readonly Written[]> {
    return this.#source.withLease(cancellation, options, (lease) => {
      const forget = afterAnswers(SLOW_MS, () => {
        // Those without a table accompany the writes to any table.
        for (const { text, table } of statements) if (table !== undefined) this.#slow.add(text);
        options.onSlow?.();
      });
      return lease.write(statements, true).finally(forget);
    });
  }
}

/** Whether the connection was lost, or could not be opened. */
function isLost(error: unknown): boolean {
  if (!(error instanceof SourceError)) return false;
  const { code } = error;
  return code === 'outcome-unknown' || code === 'source-unavailable' || code === 'queue-timeout';
}

/** Whether merged statements may fail in a way in which single ones do not. */
function isMisfit(error: unknown): boolean {
  if (!(error instanceof SourceError)) return false;
  return misfits.has(error.code);
}

const misfits: ReadonlySet<SourceErrorCode> = new Set<SourceErrorCode>([
  'schema-mismatch',
  'evaluation-failed',
  'operation-undefined',
  'parameter-type',
]);

/** The statement without its mark for merging. */
function alone({ text, parameters, types, table }: WriteStatement): Statement {
  return { text, parameters, types, table };
}

/** By text, then by the last parameter, which is the key of an update. */
function byStatement(
  { statements: [one] }: BatchedWrite,
  { statements: [other] }: BatchedWrite,
): number {
  const order = compare(one?.text ?? '', other?.text ?? '');
  if (order !== 0) return order;
  return compare(one?.parameters.at(-1) ?? '', other?.parameters.at(-1) ?? '');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
