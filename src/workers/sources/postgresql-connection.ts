/**
 * A connection of the pool with what is remembered of it: its prepared statements, whether it still
 * lives, and the conversation that runs on it.
 */
import type pg from 'pg';
import { invariant } from '../../engine/index.js';
import type { TappedClient } from './postgresql-client.js';
import { Conversation } from './postgresql-conversation.js';
import type { ByteReader } from './row-tap.js';
import { PreparedStatements } from './postgresql-statements.js';

/** What runs without a conversation. */
export interface Piped {
  /** The connection is gone. */
  died(error: unknown): void;
}

/** A client of the pool, which makes them all tapped. */
export type TappedPoolClient = pg.PoolClient & TappedClient;

export class PostgresqlConnection {
  readonly client: TappedPoolClient;
  readonly statements: PreparedStatements;
  #conversation: Conversation | undefined;
  #pipeline: Piped | undefined;
  #isAlive = true;

  constructor(client: TappedPoolClient, preparedStatements: boolean) {
    this.client = client;
    this.statements = new PreparedStatements(preparedStatements);
    client.connection.on('parseComplete', () => this.statements.confirm());
    client.connection.on('closeComplete', () => this.statements.confirmClose());
    client.connection.on('readyForQuery', () => this.#ready());
    client.on('error', (error) => this.#died(error));
    client.on('end', () => this.#died(new Error('The connection ended.')));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Begins a conversation; the one before is over. */
  converse(): Conversation {
    const conversation = new Conversation(this.client);
    if (!this.#isAlive) {
      conversation.died(new Error('The connection had ended.'));
      return conversation;
    }
    this.#conversation = conversation;
    this.client.query(conversation);
    return conversation;
  }

  /** Whether a pipeline may begin. */
  get isQuiet(): boolean {
    return this.client.tap?.isBetweenMessages === true;
  }

  /** All that comes goes to `reader` until the pipeline ends; nothing else runs. */
  beginPipeline(pipeline: Piped, reader: ByteReader): void {
    const { tap } = this.client;
    invariant(tap, 'a connection that was made has its tap');
    this.#pipeline = pipeline;
    tap.reader = reader;
  }

  /** False when it has ended before. */
  endPipeline(pipeline: Piped): boolean {
    if (this.#pipeline !== pipeline) return false;
    this.#pipeline = undefined;
    if (this.client.tap) this.client.tap.reader = undefined;
    return true;
  }

  /** Breaks the connection off at once; what runs on it fails. */
  destroy(): void {
    this.#died(new Error('The connection was broken off.'));
    this.client.connection.stream.destroy();
  }

  #ready(): void {
    this.statements.dropUnconfirmed();
    this.#conversation?.ready();
    this.#conversation = undefined;
  }

  #died(error: unknown): void {
    this.#isAlive = false;
    this.#conversation?.died(error);
    this.#pipeline?.died(error);
    this.#conversation = undefined;
  }
}
