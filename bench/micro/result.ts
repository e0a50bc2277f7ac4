/** What the micro-benches tell. */

export interface CompileResult {
  readonly expressions: number;
  readonly medianUs: number;
  readonly p99Us: number;
  /** The slowest expressions by their own median, slowest first. */
  readonly slowest: readonly { readonly expression: string; readonly medianUs: number }[];
}

export interface PlanCacheResult {
  /** Bytes of heap that 1,000 distinct plans hold, each. */
  readonly heapBytesPerPlan: number;
  /** What the cache takes them for. */
  readonly countedBytesPerPlan: number;
  /** Plans that are kept of 100,000 under the bound of 64 MiB. */
  readonly kept: number;
  /** Resident memory before, and after each tenth of 100,000 plans. */
  readonly residentBytes: readonly number[];
}

export interface RowsResult {
  readonly way: string;
  readonly rowsPerSecond: number;
  readonly processorMs: number;
}

export interface MicroResult {
  readonly compile: CompileResult;
  readonly planCache: PlanCacheResult;
  readonly rows: readonly RowsResult[];
}
