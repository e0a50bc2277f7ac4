/** Reads the metrics every second while the live view is shown. */
import { signal } from '@preact/signals';
import { ask, open } from '../gateway/ask.js';
import { type Problem, Refused } from '../gateway/problem.js';
import { type Measured, measure, type Reading } from './measure.js';
import { type PlanStats, readPlanStats } from './plan-stats.js';
import { readMetrics } from './prometheus.js';

const PAUSE_MS = 1000;
const NOT_REPORTED: readonly number[] = [403, 404];
/** How many intervals are shown. */
export const MOMENTS_MAX = 120;

export const moments = signal<readonly Measured[]>([]);
/** The plans that take the most time; undefined: the gateway does not report them. */
export const plans = signal<readonly PlanStats[] | undefined>(undefined);
export const liveFault = signal<Problem | undefined>(undefined);
export const isPaused = signal(false);

let last: Reading | undefined;
let reportsPlans = true;

/** Reads until the returned function is called. */
export function watchMetrics(): () => void {
  const stopped = new AbortController();
  reportsPlans = true;
  void readOn(stopped.signal);
  return () => stopped.abort();
}

async function readOn(stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    if (!isPaused.value && !document.hidden) {
      await readFigures(stopped);
      if (reportsPlans) await readPlans(stopped);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function readFigures(signal: AbortSignal): Promise<void> {
  try {
    const answer = await open('metrics', { accept: '*/*', signal });
    const metrics = readMetrics(await answer.text());
    const reading = { metrics, at: performance.now() };
    if (last) moments.value = [...moments.value, measure(last, reading)].slice(-MOMENTS_MAX);
    last = reading;
    liveFault.value = undefined;
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    liveFault.value = error.problem;
  }
}

async function readPlans(signal: AbortSignal): Promise<void> {
  try {
    plans.value = readPlanStats(await ask('stats?limit=10', { signal }));
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    // The gateway has no such statistics, or the key does not allow reading them.
    if (NOT_REPORTED.includes(error.problem.status)) reportsPlans = false;
  }
}
