/** What a scenario measures: a load while something else goes on. */
import type { BenchContext } from '../bench-context.js';
import type { BenchCase } from '../cases/case.js';
import type { Contestant } from '../contestants.js';
import type { Dialect } from '../database.js';
import { runWrk, type WrkResult } from '../load/wrk.js';
import type { Participant } from '../measure/figure.js';

export interface ScenarioFigure {
  readonly dialect: Dialect;
  readonly participant: Participant;
  readonly what: string;
  readonly load: WrkResult;
  /** Undefined: there is no target. */
  readonly isMet?: boolean;
}

export interface ScenarioLoad {
  readonly requests: BenchCase['requests'];
  readonly connections: number;
  readonly seconds: number;
}

/** Puts a server under load; requests may fail, and are counted. */
export async function putUnderLoad(
  { wrk, directory }: BenchContext,
  { url }: Contestant,
  load: ScenarioLoad,
): Promise<WrkResult> {
  if (wrk === undefined) throw new Error('needs wrk');
  return runWrk(wrk, { ...load, url, directory }, true);
}

/** Requests without an answer, or with an error for one. */
export function failuresOf({ refused, late, broken }: WrkResult): number {
  return refused + late + broken;
}
