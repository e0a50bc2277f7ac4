/** What all sources of a worker have in common. */

export interface SourceSettings {
  readonly connectionsPerSource: number;
  readonly connectTimeoutMs: number;
  readonly connectionWaitMs: number;
  readonly preparedStatements: boolean;
  /** The time limit of a statement, in milliseconds; 0: none. */
  readonly statementTimeoutMs: number;
}
