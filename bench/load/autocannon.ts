/** Load by autocannon in a separate process, which is used if wrk is not installed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadResult, RunLoad } from './load.js';
import { measureChild } from './measure-child.js';

const GRACE_MS = 20_000;
const MS_IN_US = 1000;

/** The output of the process. */
export interface AutocannonSummary {
  readonly requests: number;
  readonly failed: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export const runAutocannon: RunLoad = async (order) => {
  const file = join(order.directory, 'load.json');
  const { url, requests, connections, seconds } = order;
  writeFileSync(file, JSON.stringify({ url, requests, connections, seconds }));
  const script = fileURLToPath(new URL('./autocannon-process.js', import.meta.url));
  const timeoutMs = seconds * 1000 + GRACE_MS;
  const child = { program: process.execPath, words: [script, file] };
  const { output, processorUs } = await measureChild(child, timeoutMs);
  return { ...readSummary(output, url), processorUs };
};

function readSummary(output: string, url: string): Omit<LoadResult, 'processorUs'> {
  const summary: AutocannonSummary = JSON.parse(output);
  const { requests, failed, seconds, p50Ms, p99Ms } = summary;
  if (requests === 0 || failed > 0) {
    throw new Error(`${failed} of ${requests} requests to ${url} failed.`);
  }
  return {
    requests,
    requestsPerSecond: requests / seconds,
    p50Us: p50Ms * MS_IN_US,
    p99Us: p99Ms * MS_IN_US,
  };
}
