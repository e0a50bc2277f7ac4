/**
 * The connection by which a source cancels: it asks the server to interrupt what runs on another
 * one. It is opened when it is first needed, beside the source's own bound, and closed when idle.
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
