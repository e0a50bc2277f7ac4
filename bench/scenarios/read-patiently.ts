/** Clients that each wait for the answer to a request before they send the next, to the last of them. */
import { ask, StatusError } from '../cases/ask-server.js';
import type { HttpRequest } from '../cases/case.js';
import type { Contestant } from '../contestants.js';
import { percentile } from '../measure/statistics.js';
import type { ScenarioLoad, ScenarioResult } from './scenario.js';

const MS_IN_US = 1000;
const UNAVAILABLE = 503;

/** Sends requests for so many seconds. Each must be answered, 10 seconds after it was sent at most. */
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
