/**
 * The statements of one plan that are in flight: single, batched, or on connections of their own.
 * Handles their failures and long runs, and learns from their times.
 */
import { SourceError, type SourceErrorCode } from '../database/source-error.js';
import type { ReadyPlan } from '../plans.js';
import type { Batch } from './batch.js';
import { buildBatch, sameBatch } from './build-batch.js';
import { collectedRead } from './collected-read.js';
import { type ReadEnd, RowEachRead, SingleRead, TooLargeToShare } from './direct-read.js';
import { PlanEstimates } from './plan-estimates.js';
import type { Request } from './request.js';
import { type InFlight, PlanFlights } from './plan-flights.js';
import { PATIENCE_MS } from './shared-connections.js';
import type { SharedWork } from './shared-work.js';
import type { SourceReads } from './source-reads.js';
import { Trial } from './trial.js';
import { isUnavailable } from './with-leases.js';
import type { Strategy } from './strategy.js';

/** How long a batch may go on after it has turned out to be long, before its requests run by themselves. */
const BATCH_PATIENCE_MS = 500;
/** A request that has waited for this part of the time that it may is not stopped to wait again. */
const WAITED_MAX = 0.5;
/** A statement that ends within this time, in milliseconds, may have waited for a processor. */
const LATE_MS = 250;

interface RunsEvents {
  /** Called when `count` requests were answered that ran for this long, in milliseconds. */
  readonly onAnswered: (count: number, ranMs: number, now: number) => void;
  /** Called when the tables have changed since the database was asked for the types of arguments. */
  readonly onTypesChanged: () => void;
}

export class PlanRuns {
  readonly estimates: PlanEstimates;
  readonly #ready: ReadyPlan;
  readonly #reads: SourceReads;
  readonly #events: RunsEvents;
  readonly #flights = new PlanFlights();

  constructor(ready: ReadyPlan, reads: SourceReads, events: RunsEvents) {
    this.#ready = ready;
    this.#reads = reads;
    this.#events = events;
    const isAlwaysTogether = reads.settings.batching === 'always';
    const hasIncludes = ready.plan.root.includes.length > 0;
    this.estimates = new PlanEstimates({ isAlwaysTogether, statements: hasIncludes ? 2 : 1 });
  }

  /** Whether nothing is in flight. */
  get isIdle(): boolean {
    return this.#flights.isEmpty;
  }

  get unanswered(): number {
    return this.#flights.unanswered;
  }

  /** The number of requests of each statement in flight that is not long. */
  get served(): readonly number[] {
    return this.#flights.served;
  }

  /** The request that was stopped and waits to run again. */
  get stopped(): Request | undefined {
    return this.#flights.waiting?.requests[0];
  }

  /** Called at intervals. */
  tick(now: number): void {
    const { slowMs } = this.#reads.settings;
    for (const flight of this.#flights.all) {
      markSlow(flight.requests, now, slowMs);
      this.#watch(flight, now);
    }
  }

  /** Runs each request on separate connections. */
  startAlone(requests: readonly Request[]): void {
    for (const request of requests) void this.#runAlone(request);
  }

  /** Runs a request of an unknown plan. If it is long and others wait, it is stopped until {@link runStopped}. */
  tryOut(request: Request): void {
    void this.#runAlone(request, !this.#ready.isStreamed);
  }

  runStopped(): void {
    const flight = this.#flights.waiting;
    const trial = flight?.trial;
    if (!flight || !trial) return;
    flight.trial = undefined;
    flight.place = this.#ready.isStreamed ? undefined : this.#reads.longReads.enter(false);
    trial.begin();
  }

  failStopped(error: SourceError): void {
    this.#flights.waiting?.trial?.fail(error);
  }

  async #runAlone(request: Request, mayStop = false): Promise<void> {
    const { host, counters, longReads } = this.#reads;
    counters.single += 1;
    const flight = this.#flights.add([request]);
    flight.startedAt = Number.POSITIVE_INFINITY;
    flight.place = longReads.enter(mayStop);
    const leave = (): void => {
      if (flight.place) longReads.leave(flight.place);
    };
    if (mayStop) {
      flight.trial = new Trial(() => this.#reads.schedule());
    }
    // A streamed answer lasts as long as its client reads, and has its own limit, that of the pool.
    if (this.#ready.isStreamed) leave();
    const isSmall = await host.runAlone(request, {
      trial: flight.trial,
      onStart: () => {
        flight.startedAt = performance.now();
        request.startedAt = flight.startedAt;
      },
      onStreamed: () => {
        if (!flight.trial?.isStopped) flight.trial = undefined;
        leave();
      },
    });
    leave();
    const beside = this.#flights.started;
    this.#land(flight);
    this.#reads.schedule();
    // Otherwise there was no connection, or the client had disconnected.
    const hasRun = flight.startedAt !== Number.POSITIVE_INFINITY;
    if (hasRun && flight.longSince === undefined) {
      this.estimates.learnAlone(performance.now() - flight.startedAt, { beside, isSmall });
      this.#reportEstimate();
    }
  }

  startOne(request: Request): void {
    const { root } = this.#ready.plan;
    if (root.includes.length > 0) {
      void this.#collect(() => sameBatch(root, [request]), [request]);
      return;
    }
    const reads = this.#reads;
    const flight = this.#flights.add([request]);
    const onEnd = ({ error, serviceMs, hasLists }: ReadEnd): void => {
      // It runs again, and is counted then.
      if (error instanceof TooLargeToShare) flight.startedAt = Number.POSITIVE_INFINITY;
      this.#land(flight, serviceMs);
      if (error !== undefined) return this.#failSingle(request, error);
      this.estimates.learnSingle(serviceMs, hasLists);
      this.estimates.learnRows([request]);
      this.#reportEstimate();
    };
    try {
      const { singleMs: costMs } = this.estimates;
      const promoted = (): void => this.#tooLong(flight);
      flight.work = new SingleRead(request, { reads, costMs, onEnd, promoted });
    } catch (error) {
      this.#land(flight);
      reads.host.failed(request, error);
      return;
    }
    reads.counters.single += 1;
    this.#send(flight);
  }

  /** Runs requests as one statement. */
  startBatch(strategy: Strategy, requests: readonly Request[], now: number): void {
    const { plan } = this.#ready;
    let batch: Batch;
    try {
      batch = buildBatch(plan.root, strategy, requests);
    } catch {
      // The arguments of one of them are invalid.
      this.#reads.counters.failed += 1;
      return this.#startEach(requests);
    }
    this.#countWaits(requests, now);
    const isDirect = plan.root.includes.length === 0 && this.estimates.hasSingleRows;
    if (!isDirect || strategy.kind === 'same') return void this.#collect(() => batch, requests);
    const flight = this.#flights.add(requests);
    const onEnd = ({ error, serviceMs, hasLists }: ReadEnd): void => {
      this.#land(flight, serviceMs);
      if (error !== undefined) return this.#breakUp(flight, error, hasLists);
      this.estimates.learnBatch(serviceMs, requests.length);
      this.#reportEstimate();
    };
    const costMs = this.estimates.batchedMs * requests.length;
    const promoted = (): void => this.#tooLong(flight);
    flight.work = new RowEachRead(batch, { reads: this.#reads, costMs, onEnd, promoted });
    this.#send(flight);
  }

  /** Runs a batch, or one request with its includes, and collects the rows. `build` may throw for invalid arguments. */
  async #collect(build: () => Batch, requests: readonly Request[]): Promise<void> {
    const reads = this.#reads;
    const flight = this.#flights.add(requests);
    const isSingle = requests.length === 1;
    const costMs = isSingle ? this.estimates.singleMs : this.estimates.batchedMs * requests.length;
    const run = (work: SharedWork): void => {
      flight.work = work;
      this.#send(flight);
    };
    try {
      const { serviceMs, fill, hasLists } = await collectedRead(build(), requests, {
        reads,
        costMs,
        promoted: () => this.#tooLong(flight),
        run,
        isBoundToTypes: !isSingle,
      });
      this.#land(flight, serviceMs);
      this.estimates.learnFill(fill, requests.length);
      this.estimates.learnRows(requests);
      if (isSingle) {
        reads.counters.single += 1;
        this.estimates.learnSingle(serviceMs, hasLists);
      } else this.estimates.learnBatch(serviceMs, requests.length, hasLists);
      this.#reportEstimate();
    } catch (error) {
      this.#land(flight);
      this.#breakUp(flight, error);
    }
  }

  #send(flight: InFlight): void {
    const { connections } = this.#reads;
    const { work, requests } = flight;
    if (!work) return;
    const look = (): void => {
      if (requests.every(isCancelled)) connections.cancel(work);
    };
    for (const request of requests) request.whenCancelled(look);
    // A later level of includes may find no room. It is queued before new requests.
    connections.sendOrQueue(work);
  }

  /** One invalid request fails the statement of all. By themselves, each gets its own answer. */
  #breakUp({ requests, longSince }: InFlight, error: unknown, hasLists = false): void {
    const { counters } = this.#reads;
    const [first] = requests;
    const isTooLarge = error instanceof SourceError && error.code === 'rows-over-limit';
    if (first && requests.length === 1 && !isTooLarge) return this.#failSingle(first, error);
    counters.failed += 1;
    if (isTooLarge) this.estimates.tooLarge(requests.length);
    else if (hasLists) this.estimates.sawLists();
    else if (requests.some(({ isCancelled }) => !isCancelled)) this.#learnFailure(error);
    if (longSince !== undefined || isTooLarge) this.startAlone(requests);
    else this.#startEach(requests);
  }

  /** A lost connection also fails the reads after the failed one: they run again. So does one that is too large. */
  #failSingle(request: Request, error: unknown): void {
    const isTooLarge = error instanceof TooLargeToShare;
    if (isTooLarge) {
      this.#ready.isStreamed = true;
      this.estimates.sawLarge();
    }
    if ((isTooLarge || isUnavailable(error)) && !request.isCancelled) this.startAlone([request]);
    else this.#reads.host.failed(request, error);
  }

  #learnFailure(error: unknown): void {
    if (!(error instanceof SourceError)) return;
    // The tables have changed since the database was asked.
    const isOther = error.code === 'cached-plan-invalid' || error.code === 'schema-mismatch';
    if (isOther) this.#events.onTypesChanged();
    if (restsAfter.has(error.code)) this.estimates.rest(performance.now());
  }

  #startEach(requests: readonly Request[]): void {
    for (const request of requests) {
      if (request.isCancelled) this.#reads.host.failed(request, new SourceError('cancelled'));
      else this.startOne(request);
    }
  }

  /** `ranMs`: how long its statements ran, without the time in which they waited for others on the connection. */
  #land(flight: InFlight, ranMs = performance.now() - flight.startedAt): void {
    if (flight.work && flight.longSince === undefined) this.#reads.shortActivity.saw();
    this.#flights.remove(flight);
    const now = performance.now();
    if (flight.work && flight.longSince !== undefined) {
      this.#ended(now - flight.startedAt > LATE_MS || flight.requests.every(isCancelled));
    }
    if (flight.startedAt <= now) {
      this.#ready.count.ran(flight.requests.length, now - flight.startedAt);
      this.#events.onAnswered(flight.requests.length, ranMs, now);
    }
  }

  #watch(flight: InFlight, now: number): void {
    const { longSince, startedAt, work, requests, trial, place } = flight;
    const { longReads, settings } = this.#reads;
    if (trial && place) {
      const waitMs = WAITED_MAX * settings.connectionWaitMs;
      const mayStop = requests.every(({ joinedAt }) => now - joinedAt < waitMs);
      if (!longReads.mayGoOn(place, { startedAt, now, mayStop })) {
        flight.startedAt = Number.POSITIVE_INFINITY;
        return trial.stop();
      }
    }
    if (longSince === undefined) {
      // Statements on shared connections are watched there.
      const patienceMs = this.estimates.isKnown ? PATIENCE_MS : LATE_MS;
      if (!work && now - startedAt > patienceMs) this.#tooLong(flight);
      return;
    }
    if (work === undefined) return;
    if (now - startedAt > LATE_MS) this.#ended(true);
    if (requests.length > 1 && now - longSince > BATCH_PATIENCE_MS)
      this.#reads.connections.cancel(work);
  }

  /** A running statement takes long, so the plan's requests run on connections of their own for a while. */
  #tooLong(flight: InFlight): void {
    flight.longSince ??= performance.now();
    const { estimates } = this;
    // It was started while the plan was long, which it is no more.
    if (flight.work === undefined && estimates.isKnown && estimates.mayShare) return;
    estimates.tooLong();
    this.#reportEstimate();
  }

  #ended(isLong: boolean): void {
    this.estimates.ended(isLong);
    this.#reportEstimate();
    this.#reads.schedule();
  }

  #reportEstimate(): void {
    const changed = this.#ready.measured(this.estimates.isShort);
    if (changed) this.#reads.host.estimated(changed);
  }

  #countWaits(requests: readonly Request[], now: number): void {
    const { counters } = this.#reads;
    counters.batches += 1;
    counters.batched += requests.length;
    for (const { joinedAt } of requests) counters.waitedMs += now - joinedAt;
  }
}

function isCancelled(request: Request): boolean {
  return request.isCancelled;
}

/** Marks requests that take long, so that the gateway learns where their time went. */
export function markSlow(requests: readonly Request[], now: number, slowMs: number): void {
  if (slowMs === 0) return;
  for (const request of requests) request.isTimed ||= now - request.joinedAt >= slowMs;
}

const restsAfter: ReadonlySet<SourceErrorCode> = new Set<SourceErrorCode>([
  'schema-mismatch',
  'cancelled',
  'statement-timeout',
]);
