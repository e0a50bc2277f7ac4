/** The measurement of a scenario: a load while something else is going on. */
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
  /** Undefined if there is no target. */
  readonly isMet?: boolean;
}

export interface ScenarioResult {
  readonly requestsPerSecond: number;
  readonly p50Us: number | undefined;
  readonly p99Us: number | undefined;
  /** Answers with status 503. */
  readonly unavailable: number;
  /** Requests with an error or without an answer in time, including those with 503. */
  readonly failed: number;
}

export interface ScenarioLoad {
  readonly requests: readonly HttpRequest[];
  readonly connections: number;
  readonly seconds: number;
}

/** Puts a server under load by wrk. Requests may fail, but unanswered ones are not counted. */
export async function putUnderLoad(
  { wrk, directory }: BenchContext,
  { url }: Contestant,
  load: ScenarioLoad,
): Promise<ScenarioResult> {
  if (wrk === undefined) throw new Error('needs wrk');
  const result = await runWrk(wrk, { ...load, url, directory }, true);
  return { ...result, failed: result.refused + result.late + result.broken };
}
