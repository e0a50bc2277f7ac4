/**
 * A connection to a database of any dialect. It runs statements, pipelined after those in flight,
 * and passes on their rows as bytes. It knows neither plans nor requests.
 */
import type { TransactionOrder } from '../protocol.js';
import type { RowSink, Run, Statement } from './statement.js';

export interface Connection {
  readonly isAlive: boolean;
  /** How many runs were sent and have not ended; abandoned ones until the database has answered. */
  readonly inFlight: number;
  /** When the oldest of them began to be served, by `performance.now()`. */
  readonly servingSince: number;
  /** When the database last sent anything, by `performance.now()`. */
  readonly heardAt: number;
  /** Whether a transaction is open, as last reported by the database. */
  readonly isInTransaction: boolean;
  /** Whether what it serves is being stopped. A statement that is sent meanwhile may be stopped, too. */
  readonly isStopping: boolean;
  /** Whether the statement is prepared here, or can be without dropping another one. */
  canKeep(text: string): boolean;
  /** Adds a run after those in flight; the next `flush` sends it. */
  send(run: Run): void;
  /** Writes the added runs to the socket in one piece. */
  flush(): void;
  /** Ends a run with this error, unless it was taken back; what the database still answers to it is discarded. */
  abandon(run: Run, error: unknown): void;
  /**
   * Takes back the reads after the run being served, and also that one if it shares a transaction
   * with some of them. They have not ended: the caller sends them elsewhere, and the answers here
   * are discarded. A read that only waits to learn whether its rows are right fails with `source-unavailable`.
   */
  takeBackWaiting(): readonly Run[];
  /** Pauses reading; some rows may still arrive. */
  pause(): void;
  resume(): void;
  /**
   * Asks the database to stop what it serves, repeatedly until nothing is in flight. Then it
   * resolves, and no late interruption can hit a following statement. A connection that takes too
   * long is destroyed.
   */
  stop(): Promise<void>;
  /** Destroys the connection; the runs in flight fail. */
  destroy(): void;
  /**
   * If the connection was destroyed because the database did not stop a statement: resolves when the
   * statement has ended.
   */
  readonly runaway?: Promise<void> | undefined;
  /** Closes an idle connection properly. */
  close(): Promise<void>;
}

/** Runs statements one after the other; resolves to the first error. */
export function failureOf(
  connection: Pick<Connection, 'send' | 'flush'>,
  statements: readonly Statement[],
  sink: RowSink,
): Promise<unknown> {
  return new Promise((end) => {
    const steps = statements.map((statement) => ({ statement, rowsMax: 0, sink }));
    connection.send({ steps, end });
    connection.flush();
  });
}

/** How a dialect handles transactions. */
export interface TransactionDialect {
  /** Whether the first failure in a run skips the rest of it, and rolls back what came before. */
  readonly failsRunsWhole: boolean;
  /** The isolation level of a request's own statements; absent: the database's default. */
  readonly usualIsolation?: TransactionMode['isolation'];
  /** The statements that begin a transaction; without a mode, for a request's own statements. */
  begin(mode: TransactionMode | undefined): readonly string[];
  /** For dialects that explain a failed write within its transaction: the command before the write. */
  readonly savepoint?: string;
  /** Splits the statements of a write into groups that are sent together; by default, all are. */
  parts?(statements: readonly Statement[]): Iterable<readonly Statement[]>;
}

/** Without an isolation level, it is the database's default. */
export type TransactionMode = Pick<TransactionOrder, 'isolation' | 'readOnly'>;

/** The names of the isolation levels in SQL. */
export const isolationNames = {
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
} satisfies Record<NonNullable<TransactionMode['isolation']>, string>;
