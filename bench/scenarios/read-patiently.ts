/**
 * Clients that each wait for an answer before they send the next request, and for the last answer
 * before they stop.
 */
import { ask, StatusError } from '../cases/ask-server.js';
import type { HttpRequest } from '../cases/case.js';
import type { Contestant } from '../contestants.js';
import { percentile } from '../measure/statistics.js';
import type { ScenarioLoad, ScenarioResult } from './scenario.js';

const MS_IN_US = 1000;
const UNAVAILABLE = 503;

/** Sends requests for this many seconds. Each must be answered within 10 seconds. */
export async function readPatiently(
  { url }: Contestant,
  { requests, connections, seconds }: ScenarioLoad,
): Promise<ScenarioResult> {
  const timesUs: number[] = [];
  let next = 0;
  let failed = 0;
  let unavailable = 0;
  const send = async (request: HttpRequest) => {
    const start = performance.now();
    try {
      await ask(url, request);
      timesUs.push((performance.now() - start) * MS_IN_US);
    } catch (error) {
      failed += 1;
      if (error instanceof StatusError && error.status === UNAVAILABLE) unavailable += 1;
    }
  };
  const end = performance.now() + seconds * 1000;
  const readOn = async () => {
    while (performance.now() < end) {
      const request = requests[next++ % requests.length];
      if (request !== undefined) await send(request);
    }
  };
  await Promise.all(Array.from({ length: connections }, readOn));
  return {
    requestsPerSecond: timesUs.length / seconds,
    p50Us: timesUs.length === 0 ? undefined : percentile(timesUs, 0.5),
    p99Us: timesUs.length === 0 ? undefined : percentile(timesUs, 0.99),
    unavailable,
    failed,
  };
}
