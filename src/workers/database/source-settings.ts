/** The settings that all sources of a worker share. */
import type { WorkerContext } from '../protocol.js';

export type SourceSettings = Pick<
  WorkerContext,
  | ('connectionsPerSource' | 'connectTimeoutMs' | 'connectionWaitMs')
  | ('preparedStatements' | 'statementTimeoutMs')
>;

/**
 * The server's time limit as a multiple of Rowgate's. Rowgate's limit does not count the time in
 * which rows arrive or wait for a slow client. The server's does, and ends statements that the gateway
 * no longer can.
 */
const SERVER_LIMITS = 20;
const INT4_MAX = 2 ** 31 - 1;

/** The time limit for a server; 0: none. */
export function serverLimitMs(statementTimeoutMs: number): number {
  return Math.min(statementTimeoutMs * SERVER_LIMITS, INT4_MAX);
}
