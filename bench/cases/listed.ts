/** Groups requests into the lists that Rowgate accepts. */
import type { LoadResult } from '../load/load.js';
import type { Participant } from '../measure/figure.js';
import type { Ask, BenchCase, HttpRequest } from './case.js';

/** The answer to a list contains this text if one of its queries has failed. */
export const PROBLEM = 'urn:rowgate:problem';

/** The size of the lists for a server; undefined for single requests. */
export function listSizeOf({ listSize }: BenchCase, name: Participant): number | undefined {
  return name === 'rowgate' || name === 'before' ? listSize : undefined;
}

/** The requests in lists of this size. */
export function toLists(requests: readonly HttpRequest[], size: number): readonly HttpRequest[] {
  return Array.from({ length: Math.floor(requests.length / size) }, (_, index) =>
    toList(requests.slice(index * size, (index + 1) * size)),
  );
}

function toList(requests: readonly HttpRequest[]): HttpRequest {
  const body = `[${requests.map((request) => request.body).join(',')}]`;
  return { method: 'POST', path: '/execute', body };
}

/** Sends each request as a list with one element. */
export function askListed(ask: Ask): Ask {
  return async (request) => {
    const [answer] = Object(await ask(toList([request])));
    return answer;
  };
}

/** Counts the queries of a load instead of its requests. */
export function countQueries(load: LoadResult, size: number): LoadResult {
  const { requests, requestsPerSecond } = load;
  return { ...load, requests: requests * size, requestsPerSecond: requestsPerSecond * size };
}
