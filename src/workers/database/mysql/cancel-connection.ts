/**
 * The connection with which a source cancels statements on other connections. It is opened on
 * demand, does not count towards the source's limit, and is closed when idle. An address may lead to several servers, so
 * it cancels nothing unless it has reached the server of the statement.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, ConnectionConfig } from 'mariadb';
import { closeWithin } from '../close-within.js';
import type { MysqlClient } from './client.js';
import { openGuarded } from './guarded-connection.js';
import { identitySql } from './server-identity.js';

const IDLE_MS = 10_000;
/** How often to ask the server whether an abandoned statement is still running. */
const LOOK_MS = 1000;
/** How long a server is looked for that connections no longer lead to. */
const AWAY_MS_MAX = 300_000;
/** The same before the statement was told to end: the server may be gone. */
const UNREACHED_MS_MAX = 30_000;

/** The connection whose statement is cancelled. */
type Target = Pick<MysqlClient, 'server' | 'threadId'>;

interface Opened {
  readonly client: Connection;
  readonly server: string;
}

export class CancelConnection {
  readonly #options: ConnectionConfig;
  #opened: Promise<Opened> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ConnectionConfig) {
    this.#options = options;
  }

  /** Resolves when the server has interrupted the statement of that connection, or cannot. */
  async interrupt({ server, threadId }: Target): Promise<void> {
    try {
      const client = await this.#clientOf(server);
      await client?.query(`KILL QUERY ${threadId}`);
    } catch {
      // The connection or the server may be gone. The caller that waits for the statement's result
      // finds out.
    }
  }

  /**
   * Closes a connection whose statement cannot be interrupted, because some functions of MySQL and
   * MariaDB never check for interruptions. Resolves when the statement has ended, or the server can no
   * longer be asked.
   */
  async end({ server, threadId }: Target): Promise<void> {
    let isKilled = false;
    let reachedAt = performance.now();
    try {
      while (
        !this.#isClosed &&
        performance.now() - reachedAt < (isKilled ? AWAY_MS_MAX : UNREACHED_MS_MAX)
      ) {
        const client = await this.#clientOf(server);
        if (client) reachedAt = performance.now();
        if (client && !isKilled) {
          await client.query(`KILL ${threadId}`);
          isKilled = true;
        } else {
          if (client && !(await runs(client, threadId))) return;
          await sleep(LOOK_MS, undefined, { ref: false });
        }
      }
    } catch {
      // The connection has ended, or the server is gone and the statement with it.
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#closeIdle();
  }

  async #closeIdle(): Promise<void> {
    clearTimeout(this.#timer);
    const opened = this.#opened;
    this.#opened = undefined;
    await opened
      ?.then(({ client }) => closeWithin(client.end(), () => client.destroy()))
      .catch(() => undefined);
  }

  /** The connection if it leads to that server. Otherwise undefined: the next attempt opens another one. */
  async #clientOf(server: string): Promise<Connection | undefined> {
    const opened = this.#open();
    const { client, server: own } = await opened;
    if (own === server) return client;
    if (this.#opened === opened) void this.#closeIdle();
    return undefined;
  }

  #open(): Promise<Opened> {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#closeIdle(), IDLE_MS).unref();
    if (this.#opened) return this.#opened;
    const opening = open(this.#options);
    const forget = (): void => {
      if (this.#opened === opening) this.#opened = undefined;
    };
    opening.then(({ client }) => {
      client.on('error', forget);
      client.on('end', forget);
    }, forget);
    this.#opened = opening;
    return opening;
  }
}

async function open(options: ConnectionConfig): Promise<Opened> {
  const client = await openGuarded(options);
  try {
    const rows: readonly (readonly unknown[])[] = await client.query(
      `SELECT ${identitySql(client)}`,
    );
    return { client, server: String(rows[0]?.[0]) };
  } catch (error) {
    client.destroy();
    throw error;
  }
}

async function runs(client: Connection, threadId: number): Promise<boolean> {
  const sql = 'SELECT 1 FROM information_schema.processlist WHERE id = ?';
  const rows: unknown = await client.query(sql, [threadId]);
  return Array.isArray(rows) && rows.length > 0;
}
