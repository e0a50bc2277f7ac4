/**
 * The connections that short statements share, pipelined one after the other. A statement that
 * turns out long gets its connection to itself, and the statements after it are sent elsewhere.
 */
import type { Pool } from '../database/pool.js';
import { SourceError } from '../database/source-error.js';
import type { Run } from '../database/statement.js';
import { addWork, newShared, removeWork, type Shared, type SharedWork } from './shared-work.js';

/** The most shared connections. */
const CONNECTIONS_MAX = 4;
/**
 * A connection with less work than this, in milliseconds, gets more work before another connection
 * is used. Statements that are sent together share round trips and commits, and a few busy
 * connections make better use of a processor than many that compete for it.
 */
const LITTLE_MS = 3;
/** The most work on a connection, in milliseconds and in statements. */
const WORK_MS_MAX = 20;
const DEPTH_MAX = 128;
/** How long a connection stays shared when others wait for it, in milliseconds. */
const SHARED_MS = 20;
/** A statement that runs longer than this, in milliseconds, is long. */
export const PATIENCE_MS = 40;

export interface SharedOptions {
  readonly pool: Pool;
  /** How long a statement may run without sending anything, in milliseconds; 0: any time. */
  readonly statementTimeoutMs: number;
  /** How long work may wait for a connection, in milliseconds. */
  readonly waitMs: number;
  /** Called when there is room for more work. */
  readonly onRoom: () => void;
  /** Called when there is no connection and none can be opened. */
  readonly onUnavailable: (error: unknown) => void;
}

export class SharedConnections {
  readonly #options: SharedOptions;
  #shared: Shared[] = [];
  /** Connections that a single statement has to itself. */
  #own: Shared[] = [];
  /** Work that was queued after a long statement, and has found no room yet. */
  #displaced: SharedWork[] = [];
  #isUnflushed = false;
  #isOpening = false;
  #isClosed = false;

  constructor(options: SharedOptions) {
    this.#options = options;
  }

  /** Whether anything is in flight, or a connection is still held. */
  get isBusy(): boolean {
    if (this.#displaced.length > 0 || this.#own.length > 0) return true;
    return this.#shared.some(({ connection }) => this.#isClosed || connection.inFlight > 0);
  }

  /**
   * The work on all connections, as a share of what keeps the most of them busy. Above 1, more connections would
   * be used if there were any.
   */
  get load(): number {
    let workMs = 0;
    for (const shared of this.#shared) workMs += shared.workMs;
    return workMs / (CONNECTIONS_MAX * LITTLE_MS);
  }

  /** Whether a connection has room for more. */
  get hasRoom(): boolean {
    return this.#choose() !== undefined;
  }

  /** Sends work, or queues it until a connection has room. */
  sendOrQueue(work: SharedWork): void {
    if (!this.#send(work)) this.#displace(work);
    // The children of a read are sent when its rows are there; nothing else would flush them.
    if (!this.#isUnflushed) setImmediate(this.#flush);
    this.#isUnflushed = true;
  }

  readonly #flush = (): void => this.flush();

  /** Sends work on the connection with the least work; returns false if there is no room. */
  #send(work: SharedWork, isByItself = false): boolean {
    const littleMs = work.isSpread ? 0 : LITTLE_MS;
    const shared = this.#choose(littleMs, work.steps[0]?.statement?.text);
    if (!shared) return false;
    work.isByItself = isByItself;
    work.onLanded = this.#landed;
    addWork(shared, work);
    shared.connection.send(work);
    return true;
  }

  /** Writes what was sent since the last flush. */
  flush(): void {
    if (!this.#isUnflushed) return;
    this.#isUnflushed = false;
    for (const { connection } of this.#shared) connection.flush();
  }

  /**
   * Ends work whose client has disconnected. Its statement is stopped if it has its connection to
   * itself or turns out long. Stopping a short statement for which others wait is not worth it.
   */
  cancel(work: SharedWork): void {
    const { shared } = work;
    if (!shared) return this.#cancelDisplaced(work);
    if (this.#own.includes(shared) && shared.works.length === 1) this.#stop(shared);
    shared.connection.abandon(work, new SourceError('cancelled'));
  }

  /** Ends work whose rows are too many: its statement is stopped, and what waits for it is sent elsewhere. */
  drop(work: SharedWork): void {
    const { shared } = work;
    this.cancel(work);
    if (shared && this.#shared.includes(shared)) this.#detach(shared);
  }

  /** Called at intervals, to watch for long statements. */
  tick(now: number): void {
    this.#giveBackIdle();
    for (const shared of [...this.#shared]) {
      // Includes abandoned work, which nothing else would stop.
      const { inFlight, servingSince } = shared.connection;
      const isLong = inFlight > 0 && now - servingSince > PATIENCE_MS;
      if (isLong && !this.#detach(shared)) this.#watchStuck(shared, now);
      else shared.isStuck = false;
    }
    for (const shared of [...this.#own]) this.#watch(shared, now);
    this.#sendDisplaced();
  }

  /** Returns all connections to the pool. */
  close(): void {
    this.#isClosed = true;
    this.#giveBackIdle();
  }

  /**
   * The first connection with less work than `littleMs` that has prepared the statement or has room for it. Otherwise
   * the one with the least work.
   */
  #choose(littleMs = LITTLE_MS, text?: string): Shared | undefined {
    if (!this.#shared.every(({ connection }) => connection.isAlive)) this.#dropDead();
    let least: Shared | undefined;
    let leastMs = Number.POSITIVE_INFINITY;
    let isCrowded = false;
    for (const shared of this.#shared) {
      if (this.#isNeededElsewhere(shared)) continue;
      const ms = shared.workMs;
      const { isStuck, connection } = shared;
      if (isStuck || connection.isStopping) continue;
      if (shared.works.length >= DEPTH_MAX) continue;
      if (ms < leastMs) {
        least = shared;
        leastMs = ms;
      }
      if (ms >= littleMs) continue;
      if (text === undefined || connection.canKeep(text)) return shared;
      isCrowded = true;
    }
    if (isCrowded || (leastMs > 0 && leastMs >= littleMs)) this.#openMore();
    return leastMs < WORK_MS_MAX ? least : undefined;
  }

  #openMore(): void {
    if (this.#isOpening || this.#isClosed || this.#shared.length >= CONNECTIONS_MAX) return;
    const { pool, onRoom, onUnavailable } = this.#options;
    const opening = this.#shared.length === 0 ? pool.takeFirstShared() : pool.takeShared();
    if (!opening) return;
    this.#isOpening = true;
    void opening.then(
      (connection) => {
        this.#isOpening = false;
        this.#shared.push(newShared(connection));
        onRoom();
      },
      (error: unknown) => {
        this.#isOpening = false;
        if (this.#shared.length > 0) return;
        for (const work of this.#displaced.splice(0)) work.end(error, 0);
        onUnavailable(error);
      },
    );
  }

  readonly #landed = (work: SharedWork): void => {
    const shared = removeWork(work);
    if (!shared || this.#own.includes(shared)) return;
    if (shared.works.length === 0) this.#giveBackIdle();
    this.#options.onRoom();
  };

  /** Gives the oldest work its connection to itself; returns false if there is no other one. */
  #detach(shared: Shared): boolean {
    const others = this.#shared.filter((each) => each !== shared);
    const [other] = others;
    if (!this.#options.pool.exchangeShared(shared.connection, other?.connection)) return false;
    this.#shared = others;
    this.#own.push(shared);
    this.#clear(shared);
    return true;
  }

  /** Sends the work after the oldest one elsewhere. */
  #clear(shared: Shared): void {
    shared.connection.flush();
    const taken = new Set<Run>(shared.connection.takeBackWaiting());
    for (const work of shared.works.filter((each) => taken.has(each))) {
      removeWork(work);
      this.#displace(work);
    }
    shared.works[0]?.promoted();
    // Cancelled work is no longer in flight.
    if (shared.works.length === 0) this.#stop(shared);
    this.#sendDisplaced();
  }

  /** There is no other connection: new work waits for this one. */
  #watchStuck(shared: Shared, now: number): void {
    const wasStuck = shared.isStuck;
    // Set first, so that the work is not sent on this connection again.
    shared.isStuck = true;
    if (!wasStuck) this.#clear(shared);
    else if (shared.works.length === 0) this.#stop(shared);
    else this.#expire(shared, now);
  }

  /** Ends the oldest work at the time limit of its statement. */
  #expire(shared: Shared, now: number): void {
    const { connection, works } = shared;
    const { statementTimeoutMs } = this.#options;
    const { isStopping, servingSince, heardAt } = connection;
    if (isStopping || statementTimeoutMs === 0) return;
    if (now - Math.max(servingSince, heardAt) < statementTimeoutMs) return;
    const [first] = works;
    this.#stop(shared);
    if (first) connection.abandon(first, new SourceError('statement-timeout'));
  }

  #displace(work: SharedWork): void {
    work.displacedAt ??= performance.now();
    this.#displaced.push(work);
  }

  #sendDisplaced(): void {
    if (this.#displaced.length === 0) return;
    const before = performance.now() - this.#options.waitMs;
    const waiting: SharedWork[] = [];
    for (const work of this.#displaced.splice(0)) {
      if (this.#send(work, true)) continue;
      if ((work.displacedAt ?? 0) > before) waiting.push(work);
      else work.end(new SourceError('queue-timeout'), 0);
    }
    this.#displaced.unshift(...waiting);
    this.#isUnflushed = true;
    this.flush();
  }

  #cancelDisplaced(work: SharedWork): void {
    const left = this.#displaced.filter((each) => each !== work);
    if (left.length === this.#displaced.length) return;
    this.#displaced = left;
    work.end(new SourceError('cancelled'), 0);
  }

  #watch(shared: Shared, now: number): void {
    const { connection, works } = shared;
    const [first] = works;
    if (connection.isStopping) return;
    if (!connection.isAlive || (!first && connection.inFlight === 0)) return this.#giveBack(shared);
    // Abandoned work is usually short, so finishing it costs less than stopping it.
    if (first) this.#expire(shared, now);
    else if (now - connection.servingSince > PATIENCE_MS) this.#stop(shared);
  }

  #stop(shared: Shared): void {
    if (!shared.connection.isStopping) void shared.connection.stop();
  }

  /** Returns an idle connection to the pool. */
  #giveBack(shared: Shared): void {
    this.#own = this.#own.filter((each) => each !== shared);
    this.#options.pool.give(shared.connection, shared.connection.isAlive);
  }

  /**
   * Whether other requests wait for the connection. The reserved one is kept. Another one that has been shared for
   * `SHARED_MS` finishes its work in flight, and gets no more.
   */
  #isNeededElsewhere({ connection, since }: Shared): boolean {
    if (this.#isClosed) return true;
    const { pool } = this.#options;
    if (!pool.isWaitedFor || performance.now() - since <= SHARED_MS) return false;
    return !pool.isReserved(connection);
  }

  #giveBackIdle(): void {
    const { pool } = this.#options;
    const keepsIdle = pool.keepsIdle || this.#displaced.length > 0;
    const now = performance.now();
    const idle = this.#shared.filter((shared) => {
      const { connection, works, since } = shared;
      const isIdle = works.length === 0 && connection.inFlight === 0 && !connection.isStopping;
      if (!isIdle) return false;
      // One that was just opened gets its work first.
      return this.#isNeededElsewhere(shared) || (!keepsIdle && now - since > SHARED_MS);
    });
    if (idle.length === 0) return;
    this.#shared = this.#shared.filter((each) => !idle.includes(each));
    for (const { connection } of idle) pool.give(connection, connection.isAlive, false);
  }

  #dropDead(): void {
    for (const shared of this.#shared) {
      if (!shared.connection.isAlive) this.#options.pool.give(shared.connection, false);
    }
    this.#shared = this.#shared.filter(({ connection }) => connection.isAlive);
    // One with work may turn out to be needed for a long statement.
    const idle = this.#shared.find(({ connection }) => connection.inFlight === 0);
    if (idle) this.#options.pool.reserve(idle.connection);
  }
}
