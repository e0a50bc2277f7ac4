/**
 * The connection with which a source cancels statements on other connections. It is opened on
 * demand, does not count towards the source's limit, and is closed when idle.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, ConnectionConfig } from 'mariadb';
import { closeWithin } from '../close-within.js';
import { openGuarded } from './guarded-connection.js';

const IDLE_MS = 10_000;
/** How often to ask the server whether an abandoned statement is still running. */
const LOOK_MS = 1000;

export class CancelConnection {
  readonly #options: ConnectionConfig;
  #client: Promise<Connection> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ConnectionConfig) {
    this.#options = options;
  }

  /** Resolves when the server has interrupted the statement of that connection, or cannot. */
  async interrupt(threadId: number): Promise<void> {
    try {
      const client = await this.#connect();
      await client.query(`KILL QUERY ${threadId}`);
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
  async end(threadId: number): Promise<void> {
    try {
      await (await this.#connect()).query(`KILL ${threadId}`);
      while (!this.#isClosed && (await this.#runs(threadId))) {
        await sleep(LOOK_MS, undefined, { ref: false });
      }
    } catch {
      // The connection has ended, or the server is gone and the statement with it.
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#closeIdle();
  }

  async #runs(threadId: number): Promise<boolean> {
    const client = await this.#connect();
    const sql = 'SELECT 1 FROM information_schema.processlist WHERE id = ?';
    const rows: unknown = await client.query(sql, [threadId]);
    return Array.isArray(rows) && rows.length > 0;
  }

  async #closeIdle(): Promise<void> {
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    await client
      ?.then((each) => closeWithin(each.end(), () => each.destroy()))
      .catch(() => undefined);
  }

  #connect(): Promise<Connection> {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#closeIdle(), IDLE_MS).unref();
    if (this.#client) return this.#client;
    const opening = openGuarded(this.#options);
    const forget = (): void => {
      if (this.#client === opening) this.#client = undefined;
    };
    opening.then((client) => {
      client.on('error', forget);
      client.on('end', forget);
    }, forget);
    this.#client = opening;
    return opening;
  }
}
