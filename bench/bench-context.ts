/** The state that all measurements of a run share. */
import type { BenchDatabase } from './database.js';
import type { RunLoad } from './load/load.js';
import type { BenchOptions } from './options.js';

export interface BenchContext {
  readonly options: BenchOptions;
  readonly database: BenchDatabase;
  readonly runLoad: RunLoad;
  /** The path of wrk; undefined if it is not installed or not wanted. */
  readonly wrk: string | undefined;
  /** The path of pgbench; undefined if it is not installed. */
  readonly pgbench: string | undefined;
  /** The number of worker threads of the measured Rowgate. */
  readonly workers: number;
  /** A folder that is removed after the run. */
  readonly directory: string;
  /** The command line of another commit of Rowgate, measured in the same run. */
  readonly before: string | undefined;
  /** Reports progress. */
  readonly say: (line: string) => void;
}
