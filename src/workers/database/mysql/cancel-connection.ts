/**
 * The connection by which a source cancels: it asks the server to interrupt what runs on another
 * one. It is opened when it is first needed, beside the source's own bound, and closed when idle.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mariadb, { type Connection, type ConnectionConfig } from 'mariadb';

const IDLE_MS = 10_000;
/** How often the server is asked whether a statement runs that nobody waits for. */
const LOOK_MS = 1000;

export class CancelConnection {
  readonly #options: ConnectionConfig;
  #client: Promise<Connection> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ConnectionConfig) {
    this.#options = options;
  }

  /**
   * Interrupts the statement that runs on the connection of that number; resolves when the server has seen
   * to it, or cannot.
   */
  async interrupt(threadId: number): Promise<void> {
    try {
      const client = await this.#connect();
      await client.query(`KILL QUERY ${threadId}`);
    } catch {
      // The connection may be gone by now, or the server: whoever waits for the answer finds out.
    }
  }

  /**
   * Ends a connection whose statement takes no interruption: some functions of MySQL and MariaDB look for
   * none. Resolves when the statement has ended, or the server cannot be asked any more.
   */
  async end(threadId: number): Promise<void> {
    try {
      await (await this.#connect()).query(`KILL ${threadId}`);
      while (!this.#isClosed && (await this.#runs(threadId))) {
        await sleep(LOOK_MS, undefined, { ref: false });
      }
    } catch {
      // Either it has ended, or the server is gone, and the statement with it.
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
    await client?.then((each) => each.end()).catch(() => undefined);
  }

  #connect(): Promise<Connection> {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#closeIdle(), IDLE_MS).unref();
    this.#client ??= this.#open();
    return this.#client;
  }

  #open(): Promise<Connection> {
    const opening = mariadb.createConnection(this.#options);
    const forget = (): void => {
      if (this.#client === opening) this.#client = undefined;
    };
    opening.then((client) => {
      client.on('error', forget);
      client.on('end', forget);
    }, forget);
    return opening;
  }
}
