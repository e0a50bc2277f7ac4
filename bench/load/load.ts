/** What a load generator is given and what it tells. */
import type { HttpRequest } from '../cases/case.js';

export interface LoadOrder {
  readonly url: string;
  readonly requests: readonly HttpRequest[];
  /** An answer that contains this text has failed; only wrk looks for it. */
  readonly failure?: string;
  readonly connections: number;
  readonly seconds: number;
  /** A folder for the generator's files. */
  readonly directory: string;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** All that it sent while it ran. */
  readonly requests: number;
  /** Latencies; undefined where the generator does not tell them. */
  readonly p50Us: number | undefined;
  readonly p99Us: number | undefined;
  /** The processor time of the generator itself, in all. */
  readonly processorUs: number;
}

/** Puts a server under load for a while. Throws when a request fails. */
export type RunLoad = (order: LoadOrder) => Promise<LoadResult>;
