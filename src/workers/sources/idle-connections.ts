/**
 * Connections of a source that nobody uses just now. They stay checked out of pg's pool, which a
 * short read would otherwise pass through twice; those that idle for long go back to it.
 */
import type { PostgresqlConnection } from './postgresql-connection.js';

const SWEEP_MS = 5000;
/** Until pg's pool has them; it closes them after its own time. */
const IDLE_MS_MAX = 10_000;

interface Idle {
  readonly connection: PostgresqlConnection;
  /** By `performance.now()`. */
  readonly since: number;
}

export class IdleConnections {
  /** The one used last stands last: under little load, the others grow old. */
  #idle: Idle[] = [];
  readonly #timer = setInterval(() => this.#sweep(), SWEEP_MS).unref();

  /** One that lives; undefined when there is none. */
  take(): PostgresqlConnection | undefined {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      const { connection } = last;
      if (connection.isAlive) return connection;
      connection.client.release(true);
    }
    return undefined;
  }

  put(connection: PostgresqlConnection): void {
    this.#idle.push({ connection, since: performance.now() });
  }

  /** Gives all back to the pool, for good. */
  close(): void {
    clearInterval(this.#timer);
    for (const { connection } of this.#idle.splice(0)) {
      connection.client.release(!connection.isAlive);
    }
  }

  #sweep(): void {
    const oldest = performance.now() - IDLE_MS_MAX;
    const kept: Idle[] = [];
    for (const each of this.#idle) {
      const { connection, since } = each;
      if (connection.isAlive && since >= oldest) kept.push(each);
      else connection.client.release(!connection.isAlive);
    }
    this.#idle = kept;
  }
}
