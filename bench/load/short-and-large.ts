/** Load of short and large reads, in a separate process. */
import { fileURLToPath } from 'node:url';
import type { LoadResult } from './load.js';
import { measureChild } from './measure-child.js';

const GRACE_MS = 30_000;

export interface ShortAndLargeOrder {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly seed: number;
  /** The number of large reads among a hundred requests. */
  readonly largePercent: number;
  readonly largeBody: string;
  readonly shortBodies: readonly string[];
}

/** The output of the process; the latencies are those of the short reads. */
export interface ShortAndLargeSummary {
  readonly requestsPerSecond: number;
  readonly large: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** The rate counts all requests, the latencies only the short ones. */
export async function runShortAndLarge(order: ShortAndLargeOrder): Promise<LoadResult> {
  const script = fileURLToPath(new URL('./short-and-large-process.js', import.meta.url));
  const child = { program: process.execPath, words: [script, JSON.stringify(order)] };
  const { output, processorUs } = await measureChild(child, order.seconds * 1000 + GRACE_MS);
  const { requestsPerSecond, p50Us, p99Us }: ShortAndLargeSummary = JSON.parse(output);
  const requests = requestsPerSecond * order.seconds;
  return { requests, requestsPerSecond, p50Us, p99Us, processorUs };
}
