/** Reads the statistics of plans in the answer of `GET /stats`. */

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

export function readPlanStats(value: unknown): readonly PlanStats[] {
  const isStats = typeof value === 'object' && value !== null && 'plans' in value;
  return isStats && Array.isArray(value.plans) ? value.plans.filter(isPlanStats) : [];
}

function isPlanStats(value: unknown): value is PlanStats {
  if (typeof value !== 'object' || value === null) return false;
  return 'expression' in value && 'calls' in value && 'meanMs' in value;
}
