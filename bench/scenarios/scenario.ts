/** What a scenario measures: a load while something else goes on. */
import type { BenchContext } from '../bench-context.js';
import type { HttpRequest } from '../cases/case.js';
import type { Contestant } from '../contestants.js';
import type { Dialect } from '../database.js';
import { runWrk } from '../load/wrk.js';
import type { Participant } from '../measure/figure.js';

export interface ScenarioFigure extends ScenarioResult {
  readonly dialect: Dialect;
  readonly participant: Participant;
  readonly what: string;
  /** Undefined: there is no target. */
  readonly isMet?: boolean;
}

export interface ScenarioResult {
  readonly requestsPerSecond: number;
  readonly p50Us: number | undefined;
  readonly p99Us: number | undefined;
  /** Answers with status 503. */
  readonly unavailable: number;
  /** Requests without an answer in time, or with an error for one: those with 503 among them. */
  readonly failed: number;
}

export interface ScenarioLoad {
  readonly requests: readonly HttpRequest[];
  readonly connections: number;
  readonly seconds: number;
}

/** Puts a server under load by wrk; requests may fail, but what is never answered is not counted. */
export async function putUnderLoad(
  { wrk, directory }: BenchContext,
  { url }: Contestant,
  load: ScenarioLoad,
): Promise<ScenarioResult> {
  if (wrk === undefined) throw new Error('needs wrk');
  const result = await runWrk(wrk, { ...load, url, directory }, true);
  return { ...result, failed: result.refused + result.late + result.broken };
}
