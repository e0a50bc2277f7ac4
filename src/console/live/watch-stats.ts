/** Reads the statistics of the gateway every second while the live view is shown. */
import { signal } from '@preact/signals';
import { ask } from '../gateway/ask.js';
import { type Problem, Refused } from '../gateway/problem.js';
import { type Measured, measure, type Reading } from './measure.js';
import { isStats, type PlanStats } from './stats.js';

const PAUSE_MS = 1000;
/** How many intervals are shown. */
export const MOMENTS_MAX = 120;

export const moments = signal<readonly Measured[]>([]);
/** The plans that take the most time; undefined until they have been read. */
export const plans = signal<readonly PlanStats[] | undefined>(undefined);
export const liveFault = signal<Problem | undefined>(undefined);
export const isPaused = signal(false);

let last: Reading | undefined;

/** Reads until the returned function is called. */
export function watchStats(): () => void {
  const stopped = new AbortController();
  void readOn(stopped.signal);
  return () => stopped.abort();
}

async function readOn(stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    if (!isPaused.value && !document.hidden) await readStats(stopped);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function readStats(signal: AbortSignal): Promise<void> {
  try {
    const stats = await ask('stats?limit=10', { signal });
    if (!isStats(stats)) return;
    const reading = { stats, at: performance.now() };
    if (last) moments.value = [...moments.value, measure(last, reading)].slice(-MOMENTS_MAX);
    last = reading;
    plans.value = stats.plans;
    liveFault.value = undefined;
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    liveFault.value = error.problem;
  }
}
