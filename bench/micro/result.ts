/** The result of the micro-benchmarks. */

export interface CompileResult {
  readonly expressions: number;
  readonly medianUs: number;
  readonly p99Us: number;
  /** The slowest expressions by their own median, the slowest first. */
  readonly slowest: readonly { readonly expression: string; readonly medianUs: number }[];
}

export interface PlanCacheResult {
  /** Bytes of heap per plan, with 1,000 different plans. */
  readonly heapBytesPerPlan: number;
  /** The estimate of the cache for the same plans. */
  readonly countedBytesPerPlan: number;
  /** Plans that are kept, out of 100,000, with the limit of 64 MiB. */
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
