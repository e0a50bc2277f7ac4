/** Requests gathered into lists, as Rowgate takes them. */
import type { LoadResult } from '../load/load.js';
import type { Participant } from '../measure/figure.js';
import type { Ask, BenchCase, HttpRequest } from './case.js';

/** A list that was answered contains this if one of its queries failed. */
export const PROBLEM = 'urn:rowgate:problem';

/** The size of the lists that a participant is sent; undefined: single requests. */
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

/** Sends each request as a list of its own. */
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
