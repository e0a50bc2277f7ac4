/** The statistics of a program, as `GET /stats` and `/metrics` answer them. */
import { ask, type Program } from '../support/program.js';

export interface PlanStats {
  readonly planId: number;
  readonly expression: string;
  readonly calls: number;
  readonly errors: number;
  readonly cancelled: number;
  readonly rows: number;
  readonly totalMs: number;
  readonly meanMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly databaseMs: number;
  readonly batchSize: number;
}

export interface SourceStats {
  readonly name: string;
  readonly state: string;
  readonly cause?: string;
  readonly pool: Readonly<Record<'max' | 'inUse' | 'idle' | 'waiting' | 'waitingMs', number>>;
}

export interface Stats {
  readonly since: string;
  readonly requests: {
    readonly errors: Readonly<Record<string, number>>;
    readonly latency: { readonly boundsMs: readonly number[]; readonly counts: readonly number[] };
  };
  readonly sources: readonly SourceStats[];
  readonly caches: { readonly plans: object };
  readonly planCount: number;
  readonly plansDropped: number;
  readonly plans: readonly PlanStats[];
}

export async function statsOf(program: Program, query = ''): Promise<Stats> {
  const answer = await ask(program, `/stats${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json() as Stats;
}

/** The statistics of the plan of an expression. */
export function planOf({ plans }: Stats, query: string): PlanStats {
  const plan = plans.find(({ expression }) => expression === query);
  if (!plan) throw new Error(`There are no statistics of ${query}.`);
  return plan;
}

export async function metricsOf(program: Program): Promise<string> {
  return (await ask(program, '/metrics')).text;
}
