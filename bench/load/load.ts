/** The input and the result of a load generator. */
import type { HttpRequest } from '../cases/case.js';

export interface LoadOrder {
  readonly url: string;
  readonly requests: readonly HttpRequest[];
  /** An answer that contains this text has failed. Only wrk checks it. */
  readonly failure?: string;
  readonly connections: number;
  readonly seconds: number;
  /** A folder for the files of the generator. */
  readonly directory: string;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** The number of requests that it sent. */
  readonly requests: number;
  /** Latencies; undefined if the generator does not report them. */
  readonly p50Us: number | undefined;
  readonly p99Us: number | undefined;
  /** The total processor time of the generator itself. */
  readonly processorUs: number;
}

/** Puts a server under load for a while. Throws if a request fails. */
export type RunLoad = (order: LoadOrder) => Promise<LoadResult>;
