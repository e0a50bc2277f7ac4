/**
 * The lane of one plan: while its statements run, its next requests wait, and then run together. A
 * request that is alone runs at once, as the plan's own sentence. What is long, or has large
 * answers, is not waited for: such requests run side by side.
 */
import { performance } from 'node:perf_hooks';
import { createCancellation } from '../cancellation.js';
import type { ReadyPlan } from '../plans.js';
import { ReadHeldUp, SourceError, type SourceErrorCode } from '../database/source-error.js';
import type { ByteSession, Session, Source } from '../database/source.js';
import type { CountingLanes } from './lane-counters.js';
import { askLaneShape, type LaneShape, requestsMax } from './lane-shape.js';
import { type LaneHost, type Member, onAllCancelled } from './member.js';
import { Pace } from './pace.js';
import { KeptBatch, LoneBatch, type QuickEnd, RowsRepeated, WrittenBatch } from './quick-batch.js';
import { type BatchOrder, runBatch } from './run-batch.js';
import { Turn } from './turn.js';

/** Statements of one plan that run at a time. */
const RUNNING_MAX = 2;
/** Behind a statement for so many brief requests the next ones wait. */
const SERVED_MANY = 32;
/** How long a batch for which nobody waits any more may still run. */
const ABANDON_MS = 500;
/** After so many short reads with no more than a row a request, the next are taken to be the same. */
const SINGLE_SEEN = 4;
/** How long a lane rests after a batch that did no good; twice as long after each further one. */
const REST_MS = 1000;
const REST_MS_MAX = 60_000;
const restsAfter: ReadonlySet<SourceErrorCode> = new Set<SourceErrorCode>([
  'schema-mismatch',
  'cancelled',
  'statement-timeout',
]);

export interface LaneOptions {
  readonly ready: ReadyPlan;
  readonly source: Source;
  readonly rowsMax: number;
  readonly counters: CountingLanes;
  readonly host: LaneHost;
}

export class Lane {
  readonly #options: LaneOptions;
  readonly #never = createCancellation();
  readonly #pace = new Pace();
  #waiting: Member[] = [];
  #running = 0;
  /** Requests that the statement serves that began last. */
  #served = 0;
  /** Statements under way, those of requests that run by themselves included. */
  #statements = 0;
  #isScheduled = false;
  /** Short reads that went well, and whether some request among them has had more rows than one. */
  #single = 0;
  #hasLists = false;
  /** Batches in a row that did no good: they took far too long, or are refused. */
  #strikes = 0;
  /** Until then (by `performance.now()`) requests run by themselves. */
  #restsUntil = 0;
  #shape: LaneShape | 'none' | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Takes a request; the host is given its answer. */
  join(member: Member): void {
    if (this.#isSideBySide(member.joinedAt)) {
      void this.#runAlone(member);
      return;
    }
    this.#waiting.push(member);
    this.#schedule();
  }

  /** Whether requests do not wait for each other. */
  #isSideBySide(now: number): boolean {
    return this.#shape === 'none' || now < this.#restsUntil || this.#pace.membersMax === 1;
  }

  /** Requests of one message are together before the first statement is put together. */
  #schedule(): void {
    if (this.#isScheduled || !this.#mayStart()) return;
    this.#isScheduled = true;
    if (this.#running === 0) queueMicrotask(() => this.#start());
    else setImmediate(() => this.#start());
  }

  /** Whether a further statement may run: many brief requests are worth waiting for, few are not. */
  #mayStart(): boolean {
    if (this.#running === 0) return true;
    return this.#running < RUNNING_MAX && !(this.#pace.isBrief && this.#served >= SERVED_MANY);
  }

  #start(): void {
    this.#isScheduled = false;
    if (!this.#mayStart()) return;
    const members = this.#takeWaiting();
    if (members.length === 0) return this.#goOn();
    const turn = new Turn();
    this.#running += 1;
    this.#served = members.length;
    if (this.#startQuick(members, turn)) return;
    void this.#run(members, turn).finally(() => this.#end(turn));
  }

  #end(turn: Turn): void {
    turn.end();
    if (turn.isWaitedFor) this.#running -= 1;
    this.#goOn();
  }

  #goOn(): void {
    if (this.#waiting.length === 0) return;
    if (this.#isSideBySide(performance.now())) this.#releaseWaiting();
    else this.#schedule();
  }

  /** The next ones that were not cancelled; there may be none, and yet others behind them. */
  #takeWaiting(): readonly Member[] {
    const most = Math.min(this.#pace.membersMax, requestsMax(this.#options.ready.plan));
    const all = this.#waiting;
    this.#waiting = all.length <= most ? [] : all.slice(most);
    const taken = all.length <= most ? all : all.slice(0, most);
    return taken.some(({ isCancelled }) => isCancelled) ? this.#withoutCancelled(taken) : taken;
  }

  #withoutCancelled(members: readonly Member[]): readonly Member[] {
    const left: Member[] = [];
    for (const member of members) {
      if (member.isCancelled) this.#options.host.failed(member, new SourceError('cancelled'));
      else left.push(member);
    }
    return left;
  }

  async #run(members: readonly Member[], turn: Turn): Promise<void> {
    const [first] = members;
    if (members.length === 1 && first) {
      return this.#pace.isKnown ? this.#runLone(first, turn) : this.#runAlone(first, turn);
    }
    const { source, counters, host, ready } = this.#options;
    let session: ByteSession;
    try {
      session = await source.openSession(this.#never, ready.plan.root);
    } catch (error) {
      for (const member of members) host.failed(member, error);
      return;
    }
    let forget = (): void => undefined;
    turn.begin(this.#pace.patienceMs, () => {
      this.#losePatience();
      forget = onAllCancelled(members, () => session.cancel());
      // One slow member must not keep the others of its batch: by themselves, they need not wait.
      turn.after(ABANDON_MS, () => session.cancel());
    });
    try {
      await this.#runTogether(session, members);
      counters.batches += 1;
      counters.batched += members.length;
    } catch (error) {
      forget();
      await this.#breakUp(members, error);
    }
  }

  /** Runs a batch of a short read; false: it is none, or there is no connection at hand. */
  #startQuick(members: readonly Member[], turn: Turn): boolean {
    const { source, ready, rowsMax, host } = this.#options;
    const shape = members.length === 1 ? undefined : this.#shape;
    const isQuick = source.tryRead && this.#pace.isBrief && ready.plan.root.inclusions.length === 0;
    if (!isQuick || shape === 'none' || (members.length > 1 && !shape)) return false;
    const order: BatchOrder = { ready, shape, members, rowsMax, host, isBrief: true };
    const startedAt = performance.now();
    let forget = (): void => undefined;
    const onEnd = (end: QuickEnd): void => {
      this.#statements -= 1;
      forget();
      if (end.error === undefined) this.#learnQuick(members, startedAt, end);
      if (end.hasLists || end.error instanceof RowsRepeated) this.#hasLists = true;
      if (end.error === undefined) return this.#end(turn);
      if (end.error instanceof ReadHeldUp) return this.#runAgain(members, turn);
      void this.#breakUp(members, end.error).finally(() => this.#end(turn));
    };
    let batch: LoneBatch | WrittenBatch | KeptBatch;
    try {
      batch = this.#quickBatch(order, onEnd);
    } catch (error) {
      void this.#breakUp(members, error).finally(() => this.#end(turn));
      return true;
    }
    const run = source.tryRead?.(batch.batch.statement, batch.rowsToAsk, batch);
    if (!run) return false;
    this.#statements += 1;
    turn.begin(this.#pace.patienceMs, () => {
      this.#losePatience();
      forget = onAllCancelled(members, () => run.cancel());
      if (members.length > 1) turn.after(ABANDON_MS, () => run.cancel());
      run.overdue();
    });
    return true;
  }

  /** On a session, which nothing stands before. */
  #runAgain(members: readonly Member[], turn: Turn): void {
    this.#end(turn);
    const left = this.#withoutCancelled(members);
    if (left.length === 0) return;
    const again = new Turn();
    this.#running += 1;
    void this.#run(left, again).finally(() => this.#end(again));
  }

  #quickBatch(order: BatchOrder, onEnd: (end: QuickEnd) => void) {
    if (order.members.length === 1) return new LoneBatch(order, onEnd);
    const isSingle = this.#single >= SINGLE_SEEN && !this.#hasLists;
    return isSingle ? new WrittenBatch(order, onEnd) : new KeptBatch(order, onEnd);
  }

  #learnQuick(members: readonly Member[], startedAt: number, end: QuickEnd): void {
    const { counters } = this.#options;
    this.#single += 1;
    this.#strikes = 0;
    this.#pace.learn(performance.now() - startedAt, members.length, this.#statements + 1);
    this.#pace.learnFill(end.fill, members.length);
    if (members.length === 1) counters.alone += 1;
    else {
      counters.batches += 1;
      counters.batched += members.length;
      this.#countWaits(members, startedAt);
    }
  }

  /** One bad member fails the statement of all: by itself, each gets its own answer or error. */
  async #breakUp(members: readonly Member[], error: unknown): Promise<void> {
    const [first] = members;
    if (first && members.length === 1 && !isForStream(error)) {
      return this.#options.host.failed(first, error);
    }
    this.#learnFailure(error, members.length);
    await Promise.all(members.map((member) => this.#runAlone(member)));
  }

  async #runTogether(session: ByteSession, members: readonly Member[]): Promise<void> {
    try {
      this.#shape ??= await this.#askShape(session, members);
      if (this.#shape === 'none') throw new SourceError('internal');
      const startedAt = await this.#measure(session, members, this.#shape);
      this.#strikes = 0;
      this.#countWaits(members, startedAt);
    } finally {
      session.release();
    }
  }

  /** Runs a statement and learns from it; resolves to when it began. */
  async #measure(
    session: ByteSession,
    members: readonly Member[],
    shape: LaneShape | undefined,
  ): Promise<number> {
    const { ready, rowsMax, host } = this.#options;
    const startedAt = performance.now();
    this.#statements += 1;
    try {
      const { isBrief } = this.#pace;
      const fill = await runBatch(session, { ready, shape, members, rowsMax, host, isBrief });
      this.#pace.learn(performance.now() - startedAt, members.length, this.#statements);
      this.#pace.learnFill(fill, members.length);
      return startedAt;
    } finally {
      this.#statements -= 1;
    }
  }

  /** A request that is alone in a lane of short statements: a batch of one, by the plan's sentence. */
  async #runLone(member: Member, turn: Turn): Promise<void> {
    const { source, host, ready, counters } = this.#options;
    try {
      const session = await source.openSession(member, ready.plan.root);
      turn.begin(this.#pace.patienceMs, this.#losePatience);
      const forget = member.onCancel(() => session.cancel());
      try {
        await this.#measure(session, [member], undefined);
        counters.alone += 1;
      } finally {
        forget();
        session.release();
      }
    } catch (error) {
      if (!isForStream(error)) return host.failed(member, error);
      this.#learnFailure(error, 1);
      await this.#runAlone(member);
    }
  }

  async #askShape(session: Session, [first]: readonly Member[]): Promise<LaneShape | 'none'> {
    const shape = first && (await askLaneShape(session, this.#options.ready.plan, first.values));
    return shape ?? 'none';
  }

  #learnFailure(error: unknown, members: number): void {
    this.#options.counters.broken += 1;
    if (!(error instanceof SourceError)) return;
    const { code } = error;
    if (code === 'rows-over-limit') this.#pace.learnFill(1, members);
    if (this.#shape === undefined) return;
    // The tables are others than when the database was asked.
    if (code === 'statement-stale' || code === 'schema-mismatch') this.#shape = undefined;
    if (restsAfter.has(code)) this.#rest();
  }

  /** What is well for one request need not be for a list of them: the planner may choose badly. */
  #rest(): void {
    const restMs = Math.min(REST_MS_MAX, REST_MS * 2 ** this.#strikes);
    this.#strikes += 1;
    this.#restsUntil = performance.now() + restMs;
  }

  async #runAlone(member: Member, turn?: Turn): Promise<void> {
    const { ready, host, counters } = this.#options;
    counters.alone += 1;
    let startedAt = 0;
    const onStart = (): void => {
      startedAt = performance.now();
      this.#statements += 1;
      turn?.begin(this.#pace.patienceMs, this.#losePatience);
    };
    const isSmall = await host.runAlone(member, ready, onStart);
    if (startedAt === 0) return;
    this.#statements -= 1;
    if (!isSmall) this.#pace.tooLong();
    else this.#pace.learn(performance.now() - startedAt, 1, this.#statements + 1);
  }

  /** What runs takes long: those that wait behind it, and those to come, need not. */
  readonly #losePatience = (): void => {
    this.#running -= 1;
    this.#pace.tooLong();
    this.#releaseWaiting();
  };

  #releaseWaiting(): void {
    const released = this.#waiting;
    this.#waiting = [];
    for (const member of this.#withoutCancelled(released)) void this.#runAlone(member);
  }

  #countWaits(members: readonly Member[], startedAt: number): void {
    const { counters } = this.#options;
    for (const { joinedAt } of members) counters.waitedMs += startedAt - joinedAt;
  }
}

/** Whether a request that failed by itself is one for the way that streams, and parses anew. */
function isForStream(error: unknown): boolean {
  if (!(error instanceof SourceError)) return false;
  return error.code === 'rows-over-limit' || error.code === 'statement-stale';
}
