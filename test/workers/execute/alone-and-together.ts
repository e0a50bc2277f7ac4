/** Runs the same requests alone by a worker without batches, and together by one with batches. */
import type { Ask, BatchWorker } from './batch-worker.js';

/** The outcome of each request, run alone, one after another. */
export async function aloneOutcomes(
  apart: BatchWorker,
  query: string,
  data: readonly unknown[],
): Promise<readonly string[]> {
  const plan = await apart.prepare(query);
  const outcomes: string[] = [];
  for (const each of data) outcomes.push(...(await apart.outcomes([{ plan, data: each }])));
  return outcomes;
}

/** The requests, for a separate plan. */
export async function asksOf(
  worker: BatchWorker,
  query: string,
  data: readonly unknown[],
): Promise<readonly Ask[]> {
  const plan = await worker.prepare(query);
  return data.map((each) => ({ plan, data: each }));
}
