/**
 * The control connection of a source: it asks the server to interrupt what runs on another one. It
 * is opened when it is first needed, beside the source's own bound, and closed when it rests.
 */
import mariadb, { type Connection, type ConnectionConfig } from 'mariadb';

const IDLE_MS = 10_000;

export class MysqlKiller {
  readonly #options: ConnectionConfig;
  #client: Promise<Connection> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ConnectionConfig) {
    this.#options = options;
  }

  /** Interrupts the statement that runs there; resolves when the server has seen to it, or cannot. */
  async kill(threadId: number): Promise<void> {
    try {
      const client = await this.#connect();
      await client.query(`KILL QUERY ${threadId}`);
    } catch {
      // The connection may be gone by now, or the server: whoever waits for the rest finds out.
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    await client?.then((each) => each.end()).catch(() => undefined);
  }

  #connect(): Promise<Connection> {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.close(), IDLE_MS).unref();
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
