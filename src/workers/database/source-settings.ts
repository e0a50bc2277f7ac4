/** The settings that all sources of a worker share. */

export interface SourceSettings {
  readonly connectionsPerSource: number;
  readonly connectTimeoutMs: number;
  readonly connectionWaitMs: number;
  readonly preparedStatements: boolean;
  /** The time limit of a statement, in milliseconds; 0: none. */
  readonly statementTimeoutMs: number;
}

/**
 * The server's time limit as a multiple of Rowgate's. Rowgate's limit does not count the time in
 * which rows wait for a slow client. The server's does, and ends statements that the gateway no
 * longer can.
 */
const SERVER_LIMITS = 20;
const INT4_MAX = 2 ** 31 - 1;

/** The time limit for a server; 0: none. */
export function serverLimitMs(statementTimeoutMs: number): number {
  return Math.min(statementTimeoutMs * SERVER_LIMITS, INT4_MAX);
}
