/** What all measurements of a run share. */
import type { BenchDatabase } from './database.js';
import type { RunLoad } from './load/load.js';
import type { BenchOptions } from './options.js';

export interface BenchContext {
  readonly options: BenchOptions;
  readonly database: BenchDatabase;
  readonly runLoad: RunLoad;
  /** The path of wrk; undefined: it is not there, or not wanted. */
  readonly wrk: string | undefined;
  /** The path of pgbench; undefined: it is not there. */
  readonly pgbench: string | undefined;
  /** Worker threads of the Rowgate that is measured. */
  readonly workers: number;
  /** A folder that is removed after the run. */
  readonly directory: string;
  /** The command line of another commit of Rowgate that takes part. */
  readonly before: string | undefined;
  /** Tells how the run gets on. */
  readonly say: (line: string) => void;
}
