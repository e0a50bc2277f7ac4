/**
 * The connections of a source in one worker. They are opened on demand, limited by a semaphore,
 * reused, and closed after a long idle time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cancellation, createCancellation } from '../cancellation.js';
import type { PoolState } from '../protocol.js';
import type { Connection } from './connection.js';
import { Semaphore } from './semaphore.js';

const IDLE_MS_MAX = 60_000;
const SWEEP_MS = 15_000;

export interface PoolOptions {
  /** Opens a connection; rejects with a `SourceError`. */
  readonly connect: () => Promise<Connection>;
  readonly connectionsMax: number;
  /** How long a request may wait for a connection, in milliseconds. */
  readonly waitMs: number;
}

/** The connections of a pool, and the requests that wait for one. */
export interface PoolUse extends Pick<PoolState, 'max' | 'inUse' | 'idle'> {
  /** When each of the waiting requests began to wait, by `performance.now()`. */
  readonly waiters: readonly number[];
}

interface Idle {
  readonly connection: Connection;
  /** By `performance.now()`. */
  readonly since: number;
}

export interface TakeOptions {
  /** Requests with the same flow form a queue, and the queues take turns. */
  readonly flow?: object;
  /** Whether the connection is opened for it, because one that was idle may have died unnoticed. */
  readonly isFresh?: boolean;
  /** When the request began to wait, by `performance.now()`; absent: it has not waited yet. */
  readonly since?: number;
}

/** Returns the permit of a connection. */
type Release = () => void;

export class Pool {
  /** Whether one connection is reserved for statements that share it. */
  readonly reservesShared: boolean;
  readonly #connect: PoolOptions['connect'];
  readonly #max: number;
  /** For connections that one request holds, and for further shared ones. */
  readonly #permits: Semaphore;
  /** For work that lasts as long as its client reads: it gets half of the connections. */
  readonly #longPermits: Semaphore;
  /** For the first shared connection. Of several connections, requests cannot hold the last one. */
  readonly #sharedPermits: Semaphore;
  /** The most recently used one is last, so that under little load the others expire. */
  #idle: Idle[] = [];
  readonly #timer = setInterval(() => this.#closeOld(), SWEEP_MS).unref();
  readonly #out = new Map<Connection, Release>();
  #keepsIdle = true;
  /** How many health checks are waiting for a free connection. */
  #asking = 0;
  #whenAllBack: () => void = () => undefined;
  /** Abandoned statements that the database is still running. */
  runaways = 0;
  /** Beyond this many, each of them keeps the permit of its connection. */
  readonly #runawaysMax: number;
  /** How often the database has answered, which makes a health check unnecessary. */
  answers = 0;
  /** Called when a request has to wait, or nothing is kept, so that shared connections can be returned. */
  onWaited: () => void = () => undefined;

  constructor({ connect, connectionsMax, waitMs }: PoolOptions) {
    this.#connect = connect;
    this.#max = connectionsMax;
    this.#runawaysMax = Math.max(1, connectionsMax >> 1);
    // With two connections, one may be held for long, and both kinds of work need the other one.
    this.reservesShared = connectionsMax > 2;
    this.#permits = new Semaphore(connectionsMax - (this.reservesShared ? 1 : 0), waitMs);
    this.#sharedPermits = this.reservesShared ? new Semaphore(1, waitMs) : this.#permits;
    this.#longPermits = new Semaphore(Math.max(1, connectionsMax >> 1), waitMs);
  }

  get use(): PoolUse {
    const semaphores = new Set([this.#permits, this.#longPermits, this.#sharedPermits]);
    const waiters = [...semaphores].flatMap((each) => each.waiters);
    return { max: this.#max, inUse: this.#out.size, idle: this.#idle.length, waiters };
  }

  /** Whether connections that are not in use stay open. */
  get keepsIdle(): boolean {
    return this.#keepsIdle;
  }

  /** Whether a request is waiting for a connection. */
  get isWaitedFor(): boolean {
    return this.#asking > 0 || this.#permits.isWaitedFor;
  }

  /** Waits for a connection; rejects with a `SourceError`. */
  async take(
    cancellation: Cancellation,
    { flow, isFresh, since }: TakeOptions = {},
  ): Promise<Connection> {
    if (!this.#permits.tryTake()) await this.#wait(cancellation, flow, since);
    return this.#open(this.#givePermit, isFresh);
  }

  /** Waits for a connection for work of any length. */
  async takeLong(
    cancellation: Cancellation,
    { flow, isFresh, since = performance.now() }: TakeOptions = {},
  ): Promise<Connection> {
    await this.#longPermits.take(cancellation, flow, since);
    try {
      await this.#wait(cancellation, flow, since);
    } catch (error) {
      this.#longPermits.give();
      throw error;
    }
    return this.#open(() => {
      this.#permits.give();
      this.#longPermits.give();
    }, isFresh);
  }

  /** Marks a leased connection as held for long; returns false if too many are already. */
  holdForLong(connection: Connection): boolean {
    const release = this.#out.get(connection);
    if (!release || !this.#longPermits.tryTake()) return false;
    this.#out.set(connection, () => {
      release();
      this.#longPermits.give();
    });
    return true;
  }

  /** Waits for the first connection that requests share. */
  async takeFirstShared(): Promise<Connection> {
    await this.#sharedPermits.take(createCancellation());
    return this.#open(this.#giveShared);
  }

  /** Whether a connection is the shared one that no request can hold. */
  isReserved(connection: Connection): boolean {
    return this.reservesShared && this.#out.get(connection) === this.#giveShared;
  }

  /** Opens a further shared connection: the reserved one if it is missing. Undefined if requests need the others. */
  takeShared(): Promise<Connection> | undefined {
    if (this.reservesShared && this.#sharedPermits.tryTake()) return this.#open(this.#giveShared);
    if (!this.#permits.hasSpare || !this.#permits.tryTake()) return undefined;
    return this.#open(this.#givePermit);
  }

  /** Reserves a shared connection for statements that share it, if the reserved one was lost. */
  reserve(connection: Connection): void {
    if (!this.reservesShared || this.#out.get(connection) !== this.#givePermit) return;
    if (!this.#sharedPermits.tryTake()) return;
    this.#out.set(connection, this.#giveShared);
    this.#givePermit();
  }

  /**
   * Gives a shared connection to a single statement, so that another one can be shared instead: `other`, which is
   * shared already, or a new one. Returns false if none is left for that.
   */
  exchangeShared(connection: Connection, other: Connection | undefined): boolean {
    if (!this.reservesShared || this.#out.get(connection) !== this.#giveShared) return true;
    if (other && this.#out.get(other) === this.#givePermit) {
      this.#out.set(connection, this.#givePermit);
      this.#out.set(other, this.#giveShared);
      return true;
    }
    if (!this.#permits.tryTake()) return false;
    this.#out.set(connection, this.#givePermit);
    this.#giveShared();
    return true;
  }

  /** `isFit`: others may use the connection. `hasAnswered`: the database has just answered. */
  give(connection: Connection, isFit: boolean, hasAnswered = isFit): void {
    const release = this.#out.get(connection);
    this.#out.delete(connection);
    if (!isFit || !connection.isAlive) connection.destroy();
    else {
      if (hasAnswered) this.answers += 1;
      if (this.#keepsIdle) this.#idle.push({ connection, since: performance.now() });
      else void connection.close();
    }
    if (connection.runaway) this.#awaitRunaway(connection.runaway, release);
    else release?.();
    if (this.#out.size === 0) this.#whenAllBack();
  }

  #awaitRunaway(runaway: Promise<void>, release: Release | undefined): void {
    this.runaways += 1;
    const isHeld = this.runaways > this.#runawaysMax;
    if (!isHeld) release?.();
    void runaway.finally(() => {
      this.runaways -= 1;
      if (isHeld) release?.();
    });
  }

  /** Asks a question on the next free connection; true if another request gets an answer before. */
  async ask(
    question: (connection: Connection) => Promise<boolean>,
    timeoutMs: number,
  ): Promise<boolean> {
    const cancellation = createCancellation();
    const timer = setTimeout(() => cancellation.cancel(), timeoutMs);
    const before = this.answers;
    const late = new Promise<boolean>((resolve) =>
      cancellation.onCancel(() => resolve(this.answers !== before)),
    );
    const asked = this.#askSpare(question, cancellation, before).catch(() => false);
    const isWell = await Promise.race([asked, late]);
    clearTimeout(timer);
    return isWell;
  }

  /** Closes the connections that are not in use, now and from now on. */
  keepNone(): void {
    this.#keepsIdle = false;
    this.onWaited();
    void this.#closeIdle();
  }

  /** Waits for all leased connections, and closes them. */
  async close(): Promise<void> {
    this.#keepsIdle = false;
    clearInterval(this.#timer);
    if (this.#out.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenAllBack = resolve;
      });
    }
    await this.#closeIdle();
  }

  async #closeIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()));
  }

  #wait(cancellation: Cancellation, flow?: object, since?: number): Promise<void> {
    const permit = this.#permits.take(cancellation, flow, since);
    if (this.#permits.isWaitedFor) this.onWaited();
    return permit;
  }

  readonly #givePermit: Release = () => this.#permits.give();

  readonly #giveShared: Release = () => this.#sharedPermits.give();

  #takeIdle(): Connection | undefined {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      const { connection } = last;
      if (connection.isAlive) return connection;
    }
    return undefined;
  }

  /** Opens a connection for the permit; if that fails, returns the permit. */
  async #open(release: Release, isFresh = false): Promise<Connection> {
    try {
      const idle = this.#takeIdle();
      if (isFresh) idle?.destroy();
      const connection = idle?.isAlive ? idle : await this.#connect();
      this.#out.set(connection, release);
      return connection;
    } catch (error) {
      release();
      throw error;
    }
  }

  async #askSpare(
    question: (connection: Connection) => Promise<boolean>,
    cancellation: Cancellation,
    before: number,
  ): Promise<boolean> {
    this.#asking += 1;
    while (!this.#permits.hasSpare && !cancellation.isCancelled && this.answers === before) {
      this.onWaited();
      await sleep(POLL_MS);
    }
    this.#asking -= 1;
    if (this.answers !== before) return true;
    if (cancellation.isCancelled) return false;
    const connection = await this.take(cancellation);
    if (cancellation.isCancelled) {
      // It was opened too late for this question. On a busy machine, so would be that of the next one.
      this.give(connection, true, false);
      return false;
    }
    const forget = cancellation.onCancel(() => connection.destroy());
    const isWell = await question(connection).catch(() => false);
    forget();
    this.give(connection, isWell && !connection.isInTransaction);
    return isWell;
  }

  #closeOld(): void {
    const before = performance.now() - IDLE_MS_MAX;
    const old = this.#idle.filter(({ connection, since }) => since < before || !connection.isAlive);
    this.#idle = this.#idle.filter((each) => !old.includes(each));
    for (const { connection } of old) void connection.close();
  }
}

const POLL_MS = 20;
