/**
 * A connection to MySQL or MariaDB: opened and authenticated by the connector, with its prepared
 * statements, and rounds of commands run on it.
 */
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import mariadb, { type Connection as Client, type ConnectionConfig, type Prepare } from 'mariadb';
import { type WireType, wireType } from './mysql-columns.js';
import { limitStatements } from './mysql-options.js';
import { MysqlRound, type Prepared, type Step } from './mysql-round.js';
import { RowWriter } from './mysql-rows.js';

/** Statements that stay prepared on a connection. */
const STATEMENTS_MAX = 256;

/** What the connector keeps behind its interface, and rounds need. */
interface Inner {
  readonly socket: Socket | undefined;
  addCommand(command: MysqlRound, expectsAnswer: boolean): void;
}

/** A statement that is known, and how it is closed. */
interface Known extends Prepared {
  close(): void;
}

export interface ConnectionSettings {
  readonly preparedStatements: boolean;
  readonly statementTimeoutMs: number;
}

/** Opens a connection; rejects with what the connector says. */
export async function openConnection(
  options: ConnectionConfig,
  settings: ConnectionSettings,
): Promise<MysqlConnection> {
  const client = await mariadb.createConnection(options);
  try {
    await limitStatements(client, settings.statementTimeoutMs);
    // The one way of the connector's interface to what it keeps inside.
    const prepared = await client.prepare('SELECT 1');
    const inner: unknown = Reflect.get(prepared, 'conn');
    prepared.close();
    if (!isInner(inner)) throw new Error('mariadb has changed: its connection is elsewhere');
    return new MysqlConnection(client, inner, settings.preparedStatements);
  } catch (error) {
    client.destroy();
    throw error;
  }
}

function isInner(value: unknown): value is Inner {
  if (typeof value !== 'object' || value === null) return false;
  return typeof Reflect.get(value, 'addCommand') === 'function' && 'socket' in value;
}

export class MysqlConnection {
  readonly client: Client;
  readonly rows = new RowWriter();
  readonly #inner: Inner;
  readonly #keepsStatements: boolean;
  readonly #statements: LRUCache<string, Known>;
  #isAlive = true;

  constructor(client: Client, inner: Inner, keepsStatements: boolean) {
    this.client = client;
    this.#inner = inner;
    this.#keepsStatements = keepsStatements;
    this.#statements = new LRUCache({
      max: STATEMENTS_MAX,
      dispose: (statement) => statement.close(),
    });
    client.on('error', () => this.#died());
    client.on('end', () => this.#died());
  }

  get isAlive(): boolean {
    return this.#isAlive && this.client.isValid();
  }

  /** By which the server knows the connection. */
  get threadId(): number {
    return this.client.threadId ?? 0;
  }

  /** The statement, when the server knows it. */
  known(text: string): Prepared | undefined {
    return this.#statements.get(text);
  }

  /** Makes the statement known to the server. */
  async prepare(text: string): Promise<Prepared> {
    const prepare = await this.client.prepare(text);
    const known: Known = {
      id: prepare.id,
      columns: columnsOf(prepare),
      close: () => {
        if (this.isAlive) prepare.close();
      },
    };
    this.#statements.set(text, known);
    return known;
  }

  /** Forgets every statement. */
  forgetStatements(): void {
    this.#statements.clear();
  }

  /** Between two sessions. */
  rest(): void {
    if (!this.#keepsStatements) this.forgetStatements();
  }

  /** Sends commands; one round after the other. */
  run(bytes: Buffer, steps: readonly Step[], onSurplus: () => void): MysqlRound {
    const send = (piece: Buffer): void => {
      this.#inner.socket?.write(piece);
    };
    const round = new MysqlRound({ bytes, steps, rows: this.rows, send, onSurplus });
    this.#inner.addCommand(round, true);
    return round;
  }

  pause(): void {
    this.#inner.socket?.pause();
  }

  resume(): void {
    this.#inner.socket?.resume();
  }

  /** Breaks the connection off at once; what runs on it fails. */
  destroy(): void {
    this.#died();
    this.#inner.socket?.destroy(new Error('The connection was broken off.'));
  }

  /** Ends the connection in good order. */
  async close(): Promise<void> {
    this.#died();
    await this.client.end().catch(() => this.destroy());
  }

  #died(): void {
    this.#isAlive = false;
  }
}

/** What the connector has read of the columns when it prepared the statement. */
function columnsOf(prepare: Prepare): readonly WireType[] {
  const columns: unknown = Reflect.get(prepare, 'columns');
  if (!Array.isArray(columns)) throw new Error('mariadb has changed: its columns are elsewhere');
  return columns.map((column: unknown) => {
    const { columnType, flags, collation } = asColumn(column);
    return wireType(columnType, flags, collation.index);
  });
}

interface Column {
  readonly columnType: number;
  readonly flags: number;
  readonly collation: { readonly index: number };
}

function asColumn(column: unknown): Column {
  if (isColumn(column)) return column;
  throw new Error('mariadb has changed: its columns are others');
}

function isColumn(value: unknown): value is Column {
  if (typeof value !== 'object' || value === null) return false;
  const collation: unknown = Reflect.get(value, 'collation');
  if (typeof collation !== 'object' || collation === null) return false;
  const numbers: readonly unknown[] = [
    Reflect.get(value, 'columnType'),
    Reflect.get(value, 'flags'),
    Reflect.get(collation, 'index'),
  ];
  return numbers.every((each) => typeof each === 'number');
}
