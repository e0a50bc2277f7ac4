/** Load by wrk with one thread: the generator that takes the least of the processor. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadOrder, LoadResult, RunLoad } from './load.js';
import { measureChild } from './measure-child.js';
import { wrkRequests, wrkScript } from './wrk-script.js';

const GRACE_MS = 20_000;
/** A busy machine may hold a request up for long; one that is lost is never answered. */
const TIMEOUT_SECONDS = 10;

/** Load by the wrk at this path. */
export function createWrk(program: string): RunLoad {
  return async (order) => {
    const script = join(order.directory, 'load.lua');
    const requests = join(order.directory, 'load.requests');
    writeFileSync(requests, wrkRequests(order.requests, new URL(order.url).host));
    writeFileSync(script, wrkScript(requests));
    const connections = `-c${order.connections}`;
    const limits = [`-d${order.seconds}s`, '--timeout', `${TIMEOUT_SECONDS}s`];
    const words = ['-t1', connections, ...limits, '-s', script, order.url];
    const timeoutMs = order.seconds * 1000 + GRACE_MS;
    const { output, processorUs } = await measureChild({ program, words }, timeoutMs);
    return { ...readSummary(output, order), processorUs };
  };
}

/** The line that the script prints last: requests, µs, p50, p99, and how many failed in which way. */
function readSummary(output: string, { url }: LoadOrder): Omit<LoadResult, 'processorUs'> {
  const line = output.match(/^summary ([\d. ]+)$/m)?.[1];
  const numbers = (line ?? '').split(' ').map(Number);
  const [requests = 0, us = 0, p50Us = 0, p99Us = 0, refused = 0, late = 0, broken = 0] = numbers;
  if (us === 0) throw new Error(`wrk tells nothing of ${url}:\n${output}`);
  if (requests === 0) throw new Error(`${url} answers no request within ${us / 1e6} s.`);
  if (refused + late + broken > 0) {
    const how = `${refused} with an error status, ${late} too late, ${broken} with a broken socket`;
    throw new Error(`Of ${requests} requests to ${url} some failed: ${how}.`);
  }
  return { requests, requestsPerSecond: (requests / us) * 1_000_000, p50Us, p99Us };
}
