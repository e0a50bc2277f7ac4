/** Load by wrk with one thread, the generator that takes the least processor time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadOrder, LoadResult, RunLoad } from './load.js';
import { measureChild } from './measure-child.js';
import { wrkRequests, wrkScript } from './wrk-script.js';

const GRACE_MS = 20_000;
/** A busy machine may delay a request for long, but a lost request is never answered. */
const TIMEOUT_SECONDS = 10;

/** The result of a load in which requests may fail. */
export interface WrkResult extends LoadResult {
  /** Answers with an error status, including 503. */
  readonly refused: number;
  /** Answers with status 503, if they are counted. */
  readonly unavailable: number;
  /** Answers that contain the text of a failure, if they are searched for it. */
  readonly failed: number;
  readonly late: number;
  readonly broken: number;
}

/** Returns a load generator that uses the wrk at this path and throws if a request fails. */
export function createWrk(program: string): RunLoad {
  return async (order) => {
    const result = await runWrk(program, order);
    const { requests, refused, late, broken, failed } = result;
    if (requests === 0) throw new Error(`${order.url} answered nothing in ${order.seconds} s.`);
    if (refused + late + broken + failed > 0) {
      const how = `${refused} with an error status, ${late} too late, ${broken} with a broken socket, ${failed} with a failure in the answer`;
      throw new Error(`Of ${requests} requests to ${order.url} some failed: ${how}.`);
    }
    return result;
  };
}

/** Runs the wrk at this path, and counts failed requests by kind. */
export async function runWrk(
  program: string,
  order: LoadOrder,
  countsUnavailable = false,
): Promise<WrkResult> {
  const { failure } = order;
  const counted = { unavailable: countsUnavailable, ...(failure !== undefined && { failure }) };
  const script = join(order.directory, 'load.lua');
  const requests = join(order.directory, 'load.requests');
  writeFileSync(requests, wrkRequests(order.requests, new URL(order.url).host));
  writeFileSync(script, wrkScript(requests, counted));
  const connections = `-c${order.connections}`;
  const limits = [`-d${order.seconds}s`, '--timeout', `${TIMEOUT_SECONDS}s`];
  const words = ['-t1', connections, ...limits, '-s', script, order.url];
  const timeoutMs = order.seconds * 1000 + GRACE_MS;
  const { output, processorUs } = await measureChild({ program, words }, timeoutMs);
  return { ...readSummary(output), processorUs };
}

/** Reads the last line that the script prints. */
function readSummary(output: string): Omit<WrkResult, 'processorUs'> {
  const line = output.match(/^summary ([\d. ]+)$/m)?.[1];
  if (line === undefined) throw new Error(`wrk printed no summary:\n${output}`);
  const numbers = line.split(' ').map(Number);
  const [requests = 0, us = 0, p50Us = 0, p99Us = 0, refused = 0, late = 0] = numbers;
  const [broken = 0, unavailable = 0, failed = 0] = numbers.slice(6);
  const requestsPerSecond = (requests / us) * 1_000_000;
  return { requests, requestsPerSecond, p50Us, p99Us, refused, late, broken, unavailable, failed };
}
