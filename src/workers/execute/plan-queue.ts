/**
 * The requests of one plan that wait, and how they run: side by side on the shared connections, as one
 * statement where that is measured to be cheaper, or each on a connection of its own where the plan is
 * long, large or unknown.
 */
import { SourceError, type SourceErrorCode } from '../database/source-error.js';
import type { ReadyPlan } from '../plans.js';
import type { Batch } from './batch.js';
import { buildBatch, sameBatch } from './build-batch.js';
import { collectedRead } from './collected-read.js';
import { type ReadEnd, RowEachRead, SingleRead } from './direct-read.js';
import { PlanPace } from './plan-pace.js';
import type { QueueOptions } from './queue-options.js';
import type { Request } from './request.js';
import { PATIENCE_MS, type SharedWork } from './shared-connections.js';
import { findStrategy, requestsMax, type Strategy } from './strategy.js';

/** How long a batch may run once it has turned out long, before its requests run by themselves. */
const BATCH_PATIENCE_MS = 500;

/** After a failure, in milliseconds. */
const ASK_AGAIN_MS = 200;

/** A statement of the plan that is in flight. */
interface InFlight {
  readonly requests: readonly Request[];
  /** When its statement began, by `performance.now()`. */
  startedAt: number;
  work: SharedWork | undefined;
  /** When it turned out long. */
  longSince: number | undefined;
}

export class PlanQueue {
  readonly ready: ReadyPlan;
  /** Whether the batcher looks after it. */
  isActive = false;
  readonly #options: QueueOptions;
  readonly #pace: PlanPace;
  #waiting: Request[] = [];
  /** Before that, by `performance.now()`, the strategy is not asked for again. */
  #asksFrom = 0;
  /** What the host was told last. */
  #isShort = false;
  /** A few; a Set of what comes and goes makes V8 keep what is gone (see `NumberedTable`). */
  readonly #flights: InFlight[] = [];
  #strategy: Strategy | 'unknown' | 'asking' | 'none';

  constructor(ready: ReadyPlan, options: QueueOptions) {
    this.ready = ready;
    this.#options = options;
    this.#pace = new PlanPace(options.batching === 'always');
    const { parameters } = ready.plan;
    const isSame = parameters.length === 0 && !ready.asksTime;
    this.#strategy = options.batching === 'off' ? 'none' : isSame ? { kind: 'same' } : 'unknown';
  }

  /** Whether there is nothing to look after. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#flights.length === 0;
  }

  add(request: Request): void {
    this.#waiting.push(request);
  }

  /** Starts what may run now; the rest goes on waiting. */
  start(now: number): void {
    if (this.#waiting.some(({ isCancelled }) => isCancelled)) this.#dropCancelled();
    if (this.#waiting.length === 0) return;
    if (this.#options.batching === 'always' && this.#awaitStrategy()) return;
    if (!this.#pace.isKnown) return this.#tryOut();
    if (!this.#pace.mayShare) return this.#startAlone(this.#waiting.splice(0));
    if (!this.#options.connections.hasRoom) return;
    const strategy = this.#strategyFor(this.#waiting.length, now);
    if (strategy) this.#startTogether(strategy, now);
    else this.#startSideBySide();
  }

  /** Called now and then. */
  tick(now: number): void {
    for (const flight of [...this.#flights]) this.#watch(flight, now);
    const before = now - this.#options.waitMs;
    const late = this.#waiting.filter(({ joinedAt }) => joinedAt < before);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.filter(({ joinedAt }) => joinedAt >= before);
    for (const request of late)
      this.#options.host.failed(request, new SourceError('queue-timeout'));
  }

  /** No connection can be had. */
  fail(error: unknown): void {
    for (const request of this.#waiting.splice(0)) this.#options.host.failed(request, error);
  }

  #dropCancelled(): void {
    const { host } = this.#options;
    this.#waiting = this.#waiting.filter((request) => {
      if (request.isCancelled) host.failed(request, new SourceError('cancelled'));
      return !request.isCancelled;
    });
  }

  /** Nothing is known of the plan: its first request runs alone, and the others wait for what it takes. */
  #tryOut(): void {
    if (this.#flights.length === 0) this.#startAlone(this.#waiting.splice(0, 1));
  }

  #startAlone(requests: readonly Request[]): void {
    for (const request of requests) void this.#runAlone(request);
  }

  async #runAlone(request: Request): Promise<void> {
    const { host, counters } = this.#options;
    counters.single += 1;
    const flight = this.#fly([request]);
    flight.startedAt = Number.POSITIVE_INFINITY;
    const isSmall = await host.runAlone(request, () => {
      flight.startedAt = performance.now();
    });
    const beside = this.#flights.filter(
      ({ startedAt }) => startedAt < Number.POSITIVE_INFINITY,
    ).length;
    this.#land(flight);
    this.#options.onRoom();
    // Otherwise its statement has not begun: there was no connection, or no client any more.
    const hasRun = flight.startedAt !== Number.POSITIVE_INFINITY;
    if (hasRun && flight.longSince === undefined) {
      this.#pace.learnAlone(performance.now() - flight.startedAt, { beside, isSmall });
      this.#tellPace();
    }
  }

  /** The strategy by which so many requests are to run; undefined: side by side. */
  #strategyFor(waiting: number, now: number): Strategy | undefined {
    if (this.#strategy === 'none' || this.#strategy === 'asking') return undefined;
    if (this.#strategy !== 'unknown') {
      const { kind } = this.#strategy;
      return kind === 'same' || this.#pace.prefersBatch(now) ? this.#strategy : undefined;
    }
    if (waiting > 1 && now >= this.#asksFrom) void this.#askStrategy();
    return undefined;
  }

  async #askStrategy(): Promise<void> {
    this.#strategy = 'asking';
    const { source } = this.#options;
    const [first] = this.#waiting;
    const found = first && findStrategy(source, this.ready.plan, first.values);
    try {
      this.#strategy = (await found) ?? 'none';
    } catch {
      // Side by side, each request learns what is wrong; later on it may be right.
      this.#strategy = 'unknown';
      this.#asksFrom = performance.now() + ASK_AGAIN_MS;
    }
    this.#options.onRoom();
  }

  /** Asks for the strategy, if need be; whether requests are to wait for it. */
  #awaitStrategy(): boolean {
    const isToAsk = this.#strategy === 'unknown' && performance.now() >= this.#asksFrom;
    if (isToAsk) void this.#askStrategy();
    return this.#strategy === 'asking';
  }

  #startSideBySide(): void {
    const { connections } = this.#options;
    const waiting = this.#waiting;
    let started = 0;
    while (started < waiting.length && connections.hasRoom) {
      const request = waiting[started];
      started += 1;
      if (request) this.#startOne(request);
    }
    this.#waiting = started === waiting.length ? [] : waiting.slice(started);
  }

  /** While its statements run, the next requests wait, to run together. */
  #startTogether(strategy: Strategy, now: number): void {
    const isShort = this.ready.plan.root.inclusions.length === 0;
    const inFlight = this.#flights.filter(({ longSince }) => longSince === undefined);
    if (
      !this.#pace.mayStart(
        inFlight.map(({ requests }) => requests.length),
        isShort,
      )
    )
      return;
    const most = Math.min(this.#pace.batchMax, requestsMax(strategy));
    const requests = this.#waiting.splice(0, most);
    const [first] = requests;
    if (first && requests.length === 1) this.#startOne(first);
    else this.#startBatch(strategy, requests, now);
  }

  #startOne(request: Request): void {
    if (this.ready.plan.root.inclusions.length > 0) {
      void this.#collect(sameBatch(this.ready.plan.root, [request]), [request]);
      return;
    }
    const { host, rowsMax, counters } = this.#options;
    const flight = this.#fly([request]);
    const onEnd = ({ error, serviceMs, isLarge, hasLists }: ReadEnd): void => {
      this.#land(flight);
      if (error !== undefined) return this.#failSingle(request, error, isLarge);
      this.#pace.learnSingle(serviceMs, { isLarge, hasLists });
      this.#tellPace();
    };
    try {
      const { singleMs: expectedMs } = this.#pace;
      flight.work = new SingleRead(request, {
        host,
        expectedMs,
        rowsMax,
        onEnd,
        promoted: () => this.#tooLong(flight),
      });
    } catch (error) {
      this.#land(flight);
      host.failed(request, error);
      return;
    }
    counters.single += 1;
    this.#send(flight);
  }

  #startBatch(strategy: Strategy, requests: readonly Request[], now: number): void {
    const { plan } = this.ready;
    let batch: Batch;
    try {
      batch = buildBatch(plan.root, strategy, requests);
    } catch {
      // The arguments of one of them are at fault.
      this.#options.counters.failed += 1;
      return this.#startEach(requests);
    }
    this.#countWaits(requests, now);
    const isDirect = plan.root.inclusions.length === 0 && this.#pace.hasSingleRows;
    if (!isDirect || strategy.kind === 'same') return void this.#collect(batch, requests);
    const { host, rowsMax } = this.#options;
    const flight = this.#fly(requests);
    const onEnd = ({ error, serviceMs, hasLists }: ReadEnd): void => {
      this.#land(flight);
      if (error === undefined) this.#pace.learnBatch(serviceMs, requests.length);
      else this.#breakUp(flight, error, hasLists);
    };
    const expectedMs = this.#pace.batchedMs * requests.length;
    flight.work = new RowEachRead(batch, {
      host,
      expectedMs,
      rowsMax,
      onEnd,
      promoted: () => this.#tooLong(flight),
    });
    this.#send(flight);
  }

  /** Runs a batch, or one request with its includes, collecting the rows. */
  async #collect(batch: Batch, requests: readonly Request[]): Promise<void> {
    const { host, rowsMax, counters } = this.#options;
    const flight = this.#fly(requests);
    const isSingle = requests.length === 1;
    const expectedMs = isSingle ? this.#pace.singleMs : this.#pace.batchedMs * requests.length;
    const run = (work: SharedWork): void => {
      flight.work = { ...work, promoted: () => this.#tooLong(flight) };
      this.#send(flight);
    };
    try {
      const { serviceMs, fill, hasLists } = await collectedRead(batch, requests, {
        host,
        expectedMs,
        rowsMax,
        run,
        isBoundToTypes: !isSingle,
      });
      this.#land(flight);
      this.#pace.learnFill(fill, requests.length);
      if (isSingle) {
        counters.single += 1;
        this.#pace.learnSingle(serviceMs, { isLarge: false, hasLists });
      } else this.#pace.learnBatch(serviceMs, requests.length, hasLists);
    } catch (error) {
      this.#land(flight);
      this.#breakUp(flight, error);
    }
  }

  #send(flight: InFlight): void {
    const { connections } = this.#options;
    const { work, requests } = flight;
    if (!work) return;
    const look = (): void => {
      if (requests.every(({ isCancelled }) => isCancelled)) connections.cancel(work);
    };
    for (const request of requests) request.onCancel(look);
    // A later level of includes may find the connections full: it is not to wait behind new requests.
    connections.sendOrQueue(work);
  }

  /** One bad member fails the statement of all: by themselves, each gets its own answer or error. */
  #breakUp({ requests, longSince }: InFlight, error: unknown, hasLists = false): void {
    const { counters } = this.#options;
    const [first] = requests;
    const isTooLarge = error instanceof SourceError && error.code === 'rows-over-limit';
    if (first && requests.length === 1 && !isTooLarge) return this.#failSingle(first, error, false);
    counters.failed += 1;
    if (isTooLarge) this.#pace.tooLarge(requests.length);
    else if (hasLists) this.#pace.sawLists();
    else this.#learnFailure(error);
    if (longSince !== undefined || isTooLarge) this.#startAlone(requests);
    else this.#startEach(requests);
  }

  /** A lost connection takes what is behind with it: a read of which nothing was answered runs again. */
  #failSingle(request: Request, error: unknown, hasLeft: boolean): void {
    const isLost = error instanceof SourceError && error.code === 'source-unavailable';
    if (isLost && !hasLeft && !request.isCancelled) this.#startAlone([request]);
    else this.#options.host.failed(request, error);
  }

  #learnFailure(error: unknown): void {
    if (!(error instanceof SourceError)) return;
    // The tables are others than when the database was asked.
    const isOther = error.code === 'statement-stale' || error.code === 'schema-mismatch';
    if (isOther && this.#strategy !== 'none') this.#strategy = 'unknown';
    if (restsAfter.has(error.code)) this.#pace.rest(performance.now());
  }

  #startEach(requests: readonly Request[]): void {
    for (const request of requests) {
      if (request.isCancelled) this.#options.host.failed(request, new SourceError('cancelled'));
      else this.#startOne(request);
    }
  }

  #fly(requests: readonly Request[]): InFlight {
    const flight = {
      requests,
      startedAt: performance.now(),
      work: undefined,
      longSince: undefined,
    };
    this.#flights.push(flight);
    return flight;
  }

  #land(flight: InFlight): void {
    const at = this.#flights.indexOf(flight);
    const last = at === -1 ? undefined : this.#flights.pop();
    if (last && last !== flight) this.#flights[at] = last;
  }

  #watch(flight: InFlight, now: number): void {
    const { longSince, startedAt, work, requests } = flight;
    if (longSince === undefined) {
      // What shares a connection is watched there.
      if (work === undefined && now - startedAt > PATIENCE_MS) this.#tooLong(flight);
      return;
    }
    const isBatch = work !== undefined && requests.length > 1;
    if (isBatch && now - longSince > BATCH_PATIENCE_MS) this.#options.connections.cancel(work);
  }

  /** What runs takes long: the plan's requests run on connections of their own for a while. */
  #tooLong(flight: InFlight): void {
    flight.longSince ??= performance.now();
    this.#pace.tooLong();
    this.#tellPace();
  }

  #tellPace(): void {
    const isShort = this.#pace.isShort && this.ready.plan.root.inclusions.length === 0;
    if (isShort === this.#isShort) return;
    this.#isShort = isShort;
    this.#options.host.paced(this.ready, isShort);
  }

  #countWaits(requests: readonly Request[], now: number): void {
    const { counters } = this.#options;
    counters.batches += 1;
    counters.batched += requests.length;
    for (const { joinedAt } of requests) counters.waitedMs += now - joinedAt;
  }
}

const restsAfter: ReadonlySet<SourceErrorCode> = new Set<SourceErrorCode>([
  'schema-mismatch',
  'cancelled',
  'statement-timeout',
]);
