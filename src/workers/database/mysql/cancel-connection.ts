/**
 * The connection with which a source cancels statements on other connections. It is opened on
 * demand, does not count towards the source's limit, and is closed when idle.
 */
import mariadb, { type Connection, type ConnectionConfig } from 'mariadb';

const IDLE_MS = 10_000;

export class CancelConnection {
  readonly #options: ConnectionConfig;
  #client: Promise<Connection> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ConnectionConfig) {
    this.#options = options;
  }

  /**
   * Interrupts the statement on the connection with that number. Resolves when the server has done
   * so, or cannot.
   */
  async interrupt(threadId: number): Promise<void> {
    try {
      const client = await this.#connect();
      await client.query(`KILL QUERY ${threadId}`);
    } catch {
      // The connection or the server may be gone. Whoever waits for the answer finds out.
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
