/** Reads the answer of `GET /stats`. */

export interface Stats {
  readonly requests: {
    readonly unanswered: number;
    /** By the code of the problem. */
    readonly errors: Readonly<Record<string, number>>;
    /** How many requests took at most each of the times, and then how many took longer than all of them. */
    readonly latency: { readonly boundsMs: readonly number[]; readonly counts: readonly number[] };
  };
  readonly batches: { readonly batches: number; readonly batched: number; readonly single: number };
  readonly sources: readonly {
    readonly pool: { readonly inUse?: number; readonly idle?: number; readonly waiting?: number };
  }[];
  readonly caches: {
    readonly plans: { readonly hits: number; readonly misses: number; readonly entries: number };
  };
  readonly plans: readonly PlanStats[];
}

export interface PlanStats {
  readonly expression: string;
  readonly stage: string;
  readonly view: string;
  readonly calls: number;
  readonly rows: number;
  readonly meanMs: number;
  readonly p99Ms: number;
  readonly batchSize: number;
}

/** The console belongs to the gateway that answers, so their versions are the same. */
export function isStats(value: unknown): value is Stats {
  return typeof value === 'object' && value !== null && 'requests' in value && 'plans' in value;
}
