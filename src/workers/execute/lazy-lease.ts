/** A connection to one source that is leased when the first statement runs. */
import type { Cancellation } from '../cancellation.js';
import type { Lease } from '../database/lease.js';
import type { Source } from '../database/source.js';
import type { Statement, Written } from '../database/statement.js';

export class LazyLease {
  readonly #source: Source;
  readonly #cancellation: Cancellation;
  readonly #comment: string | undefined;
  #lease: Lease | undefined;
  #forget: (() => void) | undefined;

  /** A cancellation stops the running statement. `comment` is for its statements. */
  constructor(source: Source, cancellation: Cancellation, comment?: string) {
    this.#comment = comment;
    this.#source = source;
    this.#cancellation = cancellation;
  }

  get isTaken(): boolean {
    return this.#lease !== undefined;
  }

  /** Like {@link Lease.write}. */
  async write(statements: readonly Statement[], last: boolean): Promise<readonly Written[]> {
    const lease = (this.#lease ??= await this.#take());
    return lease.write(statements, last);
  }

  async commit(): Promise<void> {
    await this.#lease?.commit();
  }

  async rollBack(): Promise<void> {
    await this.#lease?.rollBack();
  }

  /** Rolls back what is not committed, and releases the connection. */
  release(): void {
    this.#forget?.();
    this.#lease?.release();
  }

  async #take(): Promise<Lease> {
    const lease = await this.#source.lease(this.#cancellation, { comment: this.#comment });
    this.#forget = this.#cancellation.onCancel(() => lease.cancel());
    return lease;
  }
}
