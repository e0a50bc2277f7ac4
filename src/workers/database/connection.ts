/**
 * A connection to a database, whatever its dialect: it runs statements, pipelined behind what is in
 * flight, and gives their rows as bytes. It knows no plans and no requests.
 */
import type { Run, Statement } from './statement.js';

export interface Connection {
  readonly isAlive: boolean;
  /** How many runs were sent and have not ended; abandoned ones count until the database answers. */
  readonly inFlight: number;
  /** Since when the oldest of them is being served, by `performance.now()`. */
  readonly servingSince: number;
  /** Whether a transaction is open, as the database reported last. */
  readonly isInTransaction: boolean;
  /** Adds a run behind those in flight; what was added goes out with the next `flush`. */
  send(run: Run): void;
  /** Writes what was added to the socket, as one piece. */
  flush(): void;
  /** Ends a run now with this error; what the database answers to it is thrown away. */
  abandon(run: Run, error: unknown): void;
  /**
   * Takes back the reads that wait behind the run being served, and that one, too, where it shares a
   * transaction with some of them: they have not ended, and the caller sends them elsewhere; what the database
   * answers to them here is thrown away.
   */
  takeBackWaiting(): readonly Run[];
  /** Stops and resumes reading; some rows may still come. */
  pause(): void;
  resume(): void;
  /**
   * Asks the database to stop what it serves, again and again until nothing is in flight; resolves
   * then, and no late interruption can strike what follows. A connection that does not come to rest
   * in time is destroyed.
   */
  stop(): Promise<void>;
  /** Breaks the connection off; what is in flight fails. */
  destroy(): void;
  /**
   * Where the connection was destroyed because the database would not stop a statement: resolves when that
   * has ended there.
   */
  readonly runaway?: Promise<void> | undefined;
  /** Ends an idle connection in good order. */
  close(): Promise<void>;
}

/** What differs between dialects in how transactions are spoken. */
export interface TransactionDialect {
  /** Whether the first failure of a run skips the rest of it, and undoes what came before. */
  readonly failsRunsWhole: boolean;
  /** The statements that begin a transaction; without a mode, one for a request's own statements. */
  begin(mode: TransactionMode | undefined): readonly string[];
  /** Where the failure of a write is explained in its transaction: the command that `explain` needs before it. */
  readonly savepoint?: string;
  /** Of a write in a transaction: the statements that are sent together. Absent: all. */
  parts?(statements: readonly Statement[]): Iterable<readonly Statement[]>;
}

/** How a transaction runs; what is absent is the database's own default. */
export interface TransactionMode {
  readonly isolation?: Isolation | undefined;
  /** Whether the database refuses writes. */
  readonly readOnly: boolean;
}

export type Isolation = 'readCommitted' | 'repeatableRead' | 'serializable';

/** The names of the isolation levels in SQL. */
export const isolationNames = {
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
} satisfies Record<Isolation, string>;
