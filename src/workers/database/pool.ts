/**
 * The connections of a source in one worker: opened when they are needed, bounded by a semaphore,
 * kept while they are used, closed when they have been idle for long.
 */
import { type Cancellation, createCancellation } from '../cancellation.js';
import type { Connection } from './connection.js';
import { Semaphore } from './semaphore.js';
import { SourceError } from './source-error.js';

const IDLE_MS_MAX = 60_000;
const SWEEP_MS = 15_000;

export interface PoolOptions {
  /** Opens a connection; rejects with a `SourceError`. */
  readonly connect: () => Promise<Connection>;
  readonly connectionsMax: number;
  /** How long a request may wait for a connection, in milliseconds. */
  readonly waitMs: number;
}

interface Idle {
  readonly connection: Connection;
  /** By `performance.now()`. */
  readonly since: number;
}

/** How the permit of a connection is given back. */
type Release = () => void;

export class Pool {
  /** Whether one connection is kept for statements that share it. */
  readonly reservesShared: boolean;
  readonly #connect: PoolOptions['connect'];
  /** Of those that requests hold for themselves, and of shared ones beyond the first. */
  readonly #permits: Semaphore;
  /** Of work that lasts as long as its client takes: half of the connections stay with the queries. */
  readonly #longPermits: Semaphore;
  /** Of the first shared connection: where there are several, requests cannot hold the last one. */
  readonly #sharedPermits: Semaphore;
  /** The one used last stands last: under little load, the others grow old. */
  #idle: Idle[] = [];
  readonly #timer = setInterval(() => this.#closeOld(), SWEEP_MS).unref();
  readonly #out = new Map<Connection, Release>();
  #isClosed = false;
  /** How many questions wait for a connection that is spare. */
  #asking = 0;
  #whenAllBack: () => void = () => undefined;
  /** Statements that the database went on with when nobody waited for them any more. */
  runaways = 0;
  /** With more of them, each goes on holding the permit of its connection. */
  readonly #runawaysMax: number;
  /** How often the database has answered: proof that it does. */
  answers = 0;
  /** Told when a request has to wait: connections that are shared may have to be given back. */
  onWaited: () => void = () => undefined;

  constructor({ connect, connectionsMax, waitMs }: PoolOptions) {
    this.#connect = connect;
    this.#runawaysMax = Math.max(1, connectionsMax >> 1);
    // Of two, one may be held for long: the other is everybody's.
    this.reservesShared = connectionsMax > 2;
    this.#permits = new Semaphore(connectionsMax - (this.reservesShared ? 1 : 0), waitMs);
    this.#sharedPermits = this.reservesShared ? new Semaphore(1, waitMs) : this.#permits;
    this.#longPermits = new Semaphore(Math.max(1, connectionsMax >> 1), waitMs);
  }

  /** Whether a request would take a connection the moment it comes back. */
  get isWaitedFor(): boolean {
    return this.#asking > 0 || this.#permits.isWaitedFor;
  }

  /** Waits for a connection; rejects with a `SourceError`. */
  async take(cancellation: Cancellation, flow?: object): Promise<Connection> {
    if (!this.#permits.tryTake()) await this.#wait(cancellation, flow);
    return this.#open(() => this.#permits.give());
  }

  /** The same for work of any length. */
  async takeLong(cancellation: Cancellation, flow?: object): Promise<Connection> {
    await this.#longPermits.take(cancellation, flow);
    try {
      await this.#wait(cancellation, flow);
    } catch (error) {
      this.#longPermits.give();
      throw error;
    }
    return this.#open(() => {
      this.#permits.give();
      this.#longPermits.give();
    });
  }

  /** A connection that was taken is held for long from now on; false: as many as may be are. */
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

  /** A further connection that requests share; undefined: the others are needed. */
  takeShared(): Promise<Connection> | undefined {
    if (!this.#permits.hasSpare || !this.#permits.tryTake()) return undefined;
    return this.#open(() => this.#permits.give());
  }

  /**
   * One statement has a shared connection for itself from now on, so that another may be shared in its
   * place; false: there is none left for that.
   */
  exchangeShared(connection: Connection): boolean {
    if (!this.reservesShared || this.#out.get(connection) !== this.#giveShared) return true;
    if (!this.#permits.tryTake()) return false;
    this.#out.set(connection, () => this.#permits.give());
    this.#giveShared();
    return true;
  }

  /** Takes a connection back; `isFit`: it may serve others; `hasAnswered`: the database has, just now. */
  give(connection: Connection, isFit: boolean, hasAnswered = isFit): void {
    const release = this.#out.get(connection);
    this.#out.delete(connection);
    if (!isFit || !connection.isAlive) connection.destroy();
    else {
      if (hasAnswered) this.answers += 1;
      if (this.#isClosed) void connection.close();
      else this.#idle.push({ connection, since: performance.now() });
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

  /** Asks a question as soon as a connection is spare; true if others get answers before that. */
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
    const asked = this.#askSpare(question, cancellation).catch(() => false);
    const isWell = await Promise.race([asked, late]);
    clearTimeout(timer);
    return isWell;
  }

  /** Waits for the connections that are out, and closes all. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    if (this.#out.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenAllBack = resolve;
      });
    }
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()));
  }

  #wait(cancellation: Cancellation, flow?: object): Promise<void> {
    const permit = this.#permits.take(cancellation, flow);
    if (this.#permits.isWaitedFor) this.onWaited();
    return permit;
  }

  readonly #giveShared: Release = () => this.#sharedPermits.give();

  #takeIdle(): Connection | undefined {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      const { connection } = last;
      if (connection.isAlive) return connection;
    }
    return undefined;
  }

  /** A connection for the permit that was taken; without one, the permit is given back. */
  async #open(release: Release): Promise<Connection> {
    try {
      const connection = this.#takeIdle() ?? (await this.#connect());
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
  ): Promise<boolean> {
    const before = this.answers;
    await this.#untilSpare(() => cancellation.isCancelled || this.answers !== before);
    if (this.answers !== before) return true;
    if (cancellation.isCancelled) return false;
    const connection = await this.take(cancellation);
    const forget = cancellation.onCancel(() => connection.destroy());
    const isWell = await question(connection).catch(() => false);
    forget();
    this.give(connection, isWell);
    return isWell;
  }

  /** Waits until a connection is spare, or it is over. */
  async #untilSpare(isOver: () => boolean): Promise<void> {
    if (this.#permits.hasSpare) return;
    this.#asking += 1;
    this.onWaited();
    while (!this.#permits.hasSpare && !isOver()) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    this.#asking -= 1;
  }

  #closeOld(): void {
    const before = performance.now() - IDLE_MS_MAX;
    const old = this.#idle.filter(({ connection, since }) => since < before || !connection.isAlive);
    this.#idle = this.#idle.filter((each) => !old.includes(each));
    for (const { connection } of old) void connection.close();
  }
}

const POLL_MS = 20;

/** The error of a connection that could not be opened, whatever the reason. */
export function unavailable(sqlstate: string | undefined, cause: unknown): SourceError {
  return new SourceError('source-unavailable', { sqlstate, cause });
}
