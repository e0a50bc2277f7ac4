/** A source of MySQL or MariaDB of one worker: connections behind slots, and sessions on them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionConfig } from 'mariadb';
import type { DialectName, Source as SchemaSource } from '../../engine/index.js';
import { type Cancellation, createCancellation } from '../execution/cancellation.js';
import { type MysqlConnection, openConnection } from './mysql-connection.js';
import { mysqlError } from './mysql-errors.js';
import { mysqlKeptAnswers } from './mysql-kept-answers.js';
import { MysqlKiller } from './mysql-killer.js';
import { connectionOptions } from './mysql-options.js';
import { MysqlSession } from './mysql-session.js';
import { Slots } from './slots.js';
import { SourceError } from './source-error.js';
import type { SourceSettings } from './source-settings.js';
import type { ByteSession, Source, TransactionMode, TransactionSession } from './source.js';
import { WorkClock } from './work-clock.js';

const PING_POLL_MS = 20;
const IDLE_MS = 60_000;

interface Idle {
  readonly connection: MysqlConnection;
  readonly since: number;
}

export class MysqlSource implements Source {
  readonly name: string;
  readonly dialect: DialectName;
  readonly keptAnswers = mysqlKeptAnswers;
  readonly clock: WorkClock;
  readonly killer: MysqlKiller;
  readonly #options: ConnectionConfig;
  readonly #settings: SourceSettings;
  readonly #slots: Slots;
  /** Of those, what may be lent for as long as a client takes: half of them stay with the queries. */
  readonly #loans: Slots;
  /** The one that was used last is at the end, and used next. */
  #idle: Idle[] = [];
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;
  /** Sessions that are out, and who waits for the last of them. */
  #out = 0;
  #whenAllBack: () => void = () => undefined;
  /** Sessions that came back fit: proof that the database answers. */
  #answers = 0;

  constructor(source: SchemaSource, settings: SourceSettings) {
    this.name = source.name;
    this.dialect = source.dialect;
    this.clock = new WorkClock(settings.statementTimeoutMs);
    this.#settings = settings;
    this.#options = connectionOptions(source.connection, settings);
    this.killer = new MysqlKiller(this.#options);
    const { connectionsPerSource, connectionWaitMs } = settings;
    this.#slots = new Slots(connectionsPerSource, connectionWaitMs);
    this.#loans = new Slots(Math.max(1, connectionsPerSource >> 1), connectionWaitMs);
    this.#timer = setInterval(() => this.#closeIdle(), IDLE_MS / 4).unref();
  }

  async openSession(cancellation: Cancellation, flow?: object): Promise<ByteSession> {
    if (!this.#slots.tryTake()) await this.#slots.take(cancellation, flow);
    const idle = this.#takeIdle();
    return new MysqlSession(idle ?? (await this.#connect()), this);
  }

  async openTransaction(
    mode: TransactionMode,
    cancellation: Cancellation,
  ): Promise<TransactionSession> {
    if (!this.#slots.tryTake()) await this.#slots.take(cancellation);
    return new MysqlSession(this.#takeIdle() ?? (await this.#connect()), this, mode);
  }

  /**
   * The same for work of any length, such as an import: only the server's own limit ends it. Its
   * connection is not used again: temporary tables and settings of the session end with it.
   */
  async openLongTransaction(
    mode: TransactionMode,
    cancellation: Cancellation,
  ): Promise<TransactionSession> {
    await this.#loans.take(cancellation);
    const home = {
      clock: new WorkClock(0),
      killer: this.killer,
      giveBack: (own: MysqlConnection) => {
        this.giveBack(own, false);
        this.#loans.give();
      },
    };
    try {
      if (!this.#slots.tryTake()) await this.#slots.take(cancellation);
      return new MysqlSession(this.#takeIdle() ?? (await this.#connect()), home, mode);
    } catch (error) {
      this.#loans.give();
      throw error;
    }
  }

  giveBack(connection: MysqlConnection, isFit: boolean): void {
    this.#out -= 1;
    if (isFit && !this.#isClosed) {
      this.#answers += 1;
      connection.rest();
      this.#idle.push({ connection, since: performance.now() });
    } else if (isFit) void connection.close();
    else connection.destroy();
    this.#slots.give();
    if (this.#out === 0) this.#whenAllBack();
  }

  async ping(timeoutMs: number): Promise<boolean> {
    const cancellation = createCancellation();
    const timer = setTimeout(() => cancellation.cancel(), timeoutMs);
    const late = new Promise<boolean>((resolve) => cancellation.onCancel(() => resolve(false)));
    const answered = this.#answers;
    const asked = this.#ask(cancellation).catch(() => false);
    const answer = await Promise.race([asked, late]);
    clearTimeout(timer);
    return answer || this.#answers !== answered;
  }

  async missingTables(tables: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    const session = await this.openSession(createCancellation());
    try {
      for (const table of tables) {
        const statement = { text: `SELECT 1 FROM ${table} LIMIT 0`, parameters: [] };
        const isThere = await session.fetch([statement], 1, true).then(() => true, isMissing);
        if (!isThere) missing.push(table);
      }
    } finally {
      session.release();
    }
    return missing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.clock.close();
    clearInterval(this.#timer);
    if (this.#out > 0) {
      await new Promise<void>((resolve) => {
        this.#whenAllBack = resolve;
      });
    }
    const idle = this.#idle.splice(0);
    await Promise.all(idle.map(({ connection }) => connection.close()));
    await this.killer.close();
  }

  #takeIdle(): MysqlConnection | undefined {
    for (;;) {
      const last = this.#idle.pop();
      if (!last) return undefined;
      if (!last.connection.isAlive) continue;
      this.#out += 1;
      return last.connection;
    }
  }

  /** A new connection for the slot that was taken; without one, the slot is given back. */
  async #connect(): Promise<MysqlConnection> {
    this.#out += 1;
    try {
      return await openConnection(this.#options, this.#settings);
    } catch (error) {
      this.#out -= 1;
      this.#slots.give();
      if (this.#out === 0) this.#whenAllBack();
      throw unavailable(error);
    }
  }

  #closeIdle(): void {
    const before = performance.now() - IDLE_MS;
    const old = this.#idle.filter(({ since }) => since < before);
    this.#idle = this.#idle.filter(({ since }) => since >= before);
    for (const { connection } of old) void connection.close();
  }

  /** `SELECT 1` as soon as more than one slot is free, unless others get answers before that. */
  async #ask(cancellation: Cancellation): Promise<boolean> {
    const answered = this.#answers;
    while (!(this.#slots.hasSpare && this.#slots.tryTake())) {
      if (this.#answers !== answered) return true;
      if (cancellation.isCancelled) return false;
      await sleep(PING_POLL_MS);
    }
    const session = new MysqlSession(this.#takeIdle() ?? (await this.#connect()), this);
    const forget = cancellation.onCancel(() => session.cancel());
    try {
      await session.fetch([{ text: 'SELECT 1', parameters: [] }], 0);
      return true;
    } finally {
      forget();
      session.release();
    }
  }
}

function isMissing(error: unknown): false {
  if (error instanceof SourceError && error.code === 'schema-mismatch') return false;
  throw error;
}

/** Whatever fails while a connection is opened, the password included, the source cannot be used. */
function unavailable(error: unknown): SourceError {
  const { sqlstate } = mysqlError(error);
  return new SourceError('source-unavailable', { sqlstate, cause: error });
}
