/** What all sources of a worker have in common. */

export interface SourceSettings {
  readonly connectionsPerSource: number;
  readonly connectTimeoutMs: number;
  readonly connectionWaitMs: number;
  readonly preparedStatements: boolean;
  /** The time limit of a statement, in milliseconds; 0: none. */
  readonly statementTimeoutMs: number;
}

/**
 * The server's own limit, in limits of ours. Ours does not count the time in which rows wait for a
 * slow client; the server's does, and ends what the gateway no longer can.
 */
const SERVER_LIMITS = 20;
const INT4_MAX = 2 ** 31 - 1;

/** The time limit that a server is given; 0: none. */
export function serverLimitMs(statementTimeoutMs: number): number {
  return Math.min(statementTimeoutMs * SERVER_LIMITS, INT4_MAX);
}
