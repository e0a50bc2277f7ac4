/** A PostgreSQL source of one worker: pg's pool behind slots, and sessions on its connections. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { invariant, type Source as SchemaSource } from '../../engine/index.js';
import { type Cancellation, createCancellation } from '../execution/cancellation.js';
import { IdleConnections } from './idle-connections.js';
import { openStream, TappedClient } from './postgresql-client.js';
import { PostgresqlConnection } from './postgresql-connection.js';
import { postgresqlError } from './postgresql-errors.js';
import { postgresqlKeptAnswers } from './postgresql-kept-answers.js';
import { poolOptions } from './postgresql-options.js';
import { Pipeline } from './postgresql-pipeline.js';
import { PostgresqlSession } from './postgresql-session.js';
import { Slots } from './slots.js';
import { SourceError } from './source-error.js';
import type { SourceSettings } from './source-settings.js';
import type {
  ByteSession,
  QuickRead,
  QuickRun,
  Source,
  Statement,
  TransactionMode,
  TransactionSession,
} from './source.js';
import { WorkClock } from './work-clock.js';

const PING_POLL_MS = 20;

export class PostgresqlSource implements Source {
  readonly name: string;
  readonly dialect = 'PostgreSQL';
  readonly keptAnswers = postgresqlKeptAnswers;
  readonly clock: WorkClock;
  readonly #pool: pg.Pool;
  readonly #slots: Slots;
  /** Of those, what may be lent for as long as a client takes: half of them stay with the queries. */
  readonly #loans: Slots;
  readonly #idle = new IdleConnections();
  /** Those that run. */
  #pipelines: readonly Pipeline[] = [];
  readonly #connections = new WeakMap<pg.PoolClient, PostgresqlConnection>();
  /** Sessions that came back fit: proof that the database answers. */
  #answers = 0;
  #isClosing = false;

  constructor(source: SchemaSource, settings: SourceSettings) {
    this.name = source.name;
    this.clock = new WorkClock(settings.statementTimeoutMs);
    this.#slots = new Slots(settings.connectionsPerSource, settings.connectionWaitMs);
    const loans = Math.max(1, settings.connectionsPerSource >> 1);
    this.#loans = new Slots(loans, settings.connectionWaitMs);
    const options = { ...poolOptions(source.connection, settings), stream: openStream };
    this.#pool = new pg.Pool({ ...options, Client: TappedClient });
    this.#pool.on('connect', (client) => {
      invariant(client instanceof TappedClient, 'the pool makes clients of the class it is given');
      this.#connections.set(client, new PostgresqlConnection(client, settings.preparedStatements));
    });
    // The pool drops an idle connection that fails; the next request opens another.
    this.#pool.on('error', () => undefined);
  }

  async openSession(cancellation: Cancellation, flow?: object): Promise<ByteSession> {
    if (!this.#slots.tryTake()) await this.#slots.take(cancellation, flow);
    const connection = this.#idle.take() ?? (await this.#connect());
    return new PostgresqlSession(connection, this);
  }

  tryRead(statement: Statement, rowsMax: number, read: QuickRead): QuickRun | undefined {
    // Who holds a connection for as long as there are reads would let nobody else have it.
    if (this.#slots.isWaitedFor) return undefined;
    const pipeline =
      this.#pipelines.find((each) => each.canRun(statement.text)) ?? this.#openPipeline();
    return pipeline?.run(statement, rowsMax, read);
  }

  #openPipeline(): Pipeline | undefined {
    if (!this.#slots.tryTake()) return undefined;
    const connection = this.#idle.take();
    if (!connection?.isQuiet) {
      if (connection) this.#idle.put(connection);
      this.#slots.give();
      return undefined;
    }
    const pipeline = new Pipeline(connection, this);
    this.#pipelines = [...this.#pipelines, pipeline];
    return pipeline;
  }

  answered(): void {
    this.#answers += 1;
  }

  ranDry(pipeline: Pipeline, isFit: boolean): void {
    this.#pipelines = this.#pipelines.filter((each) => each !== pipeline);
    this.giveBack(pipeline.connection, isFit);
  }

  async openTransaction(
    mode: TransactionMode,
    cancellation: Cancellation,
  ): Promise<TransactionSession> {
    if (!this.#slots.tryTake()) await this.#slots.take(cancellation);
    const connection = this.#idle.take() ?? (await this.#connect());
    return new PostgresqlSession(connection, this, mode);
  }

  /**
   * Lends a connection to work that speaks to pg itself (COPY, transactions, DDL). A connection
   * whose work failed, or left a transaction open, is not used again.
   */
  async useClient<T>(
    cancellation: Cancellation,
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    await this.#loans.take(cancellation);
    try {
      return await this.#lend(cancellation, work);
    } finally {
      this.#loans.give();
    }
  }

  async #lend<T>(
    cancellation: Cancellation,
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    if (!this.#slots.tryTake()) await this.#slots.take(cancellation);
    const connection = this.#idle.take() ?? (await this.#connect());
    let isFit = false;
    try {
      const result = await work(connection.client);
      isFit = connection.isAlive && connection.client.getTransactionStatus() === 'I';
      return result;
    } finally {
      this.giveBack(connection, isFit);
    }
  }

  giveBack(connection: PostgresqlConnection, isFit: boolean): void {
    if (isFit) this.#answers += 1;
    if (isFit && !this.#isClosing) this.#idle.put(connection);
    else connection.client.release(!isFit);
    this.#slots.give();
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
      const text = 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL';
      const statement = { text, parameters: [textArray(tables)] };
      await session.stream(statement, 0, ([name]) => {
        if (typeof name === 'string') missing.push(name);
      });
    } finally {
      session.release();
    }
    return missing;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.clock.close();
    this.#idle.close();
    await this.#pool.end();
  }

  /** A connection for the slot that was taken; without one, the slot is given back. */
  async #connect(): Promise<PostgresqlConnection> {
    try {
      const connection = this.#connections.get(await this.#pool.connect());
      if (connection) return connection;
      throw new SourceError('internal');
    } catch (error) {
      this.#slots.give();
      throw unavailable(error);
    }
  }

  /** `SELECT 1` as soon as more than one slot is free, unless others get answers before that. */
  async #ask(cancellation: Cancellation): Promise<boolean> {
    const answered = this.#answers;
    while (!(this.#slots.hasSpare && this.#slots.tryTake())) {
      if (this.#answers !== answered) return true;
      if (cancellation.isCancelled) return false;
      await sleep(PING_POLL_MS);
    }
    const connection = this.#idle.take() ?? (await this.#connect());
    const session = new PostgresqlSession(connection, this);
    const forget = cancellation.onCancel(() => session.cancel());
    try {
      await session.stream({ text: 'SELECT 1', parameters: [] }, 0, () => undefined);
      return true;
    } finally {
      forget();
      session.release();
    }
  }
}

/** Whatever fails while a connection is opened, the password included, the source cannot be used. */
function unavailable(error: unknown): SourceError {
  const { sqlstate } = postgresqlError(error);
  return new SourceError('source-unavailable', { sqlstate, cause: error });
}

function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
