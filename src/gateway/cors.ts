/** Handles cross-origin requests of browsers: which origins may read answers (Fetch, "CORS protocol"). */
import type { Exchange, Header } from './http/exchange.js';

const ANY = '*';
const EXPOSED =
  'etag, link, ratelimit, ratelimit-policy, retry-after, rowgate-warning, server-timing, x-request-id, x-total-count';
const PREFLIGHT: readonly Header[] = [
  ['access-control-allow-methods', 'GET, HEAD, POST, DELETE'],
  [
    'access-control-allow-headers',
    'accept, authorization, content-type, idempotency-key, if-none-match, traceparent, x-request-id',
  ],
  ['access-control-max-age', '600'],
];

/** Whether pages of the origin may send requests and read answers. */
export function isOriginAllowed(allowed: readonly string[], origin: string): boolean {
  return allowed.includes(ANY) || allowed.includes(origin);
}

/** Creates the function that adds the headers to an answer; undefined if no origin is allowed. */
export function corsFor(origins: readonly string[]): ((exchange: Exchange) => void) | undefined {
  if (origins.length === 0) return undefined;
  const isAnyAllowed = origins.includes(ANY);
  return (exchange) => {
    const { origin } = exchange.headers;
    // A stored answer must not be given to another origin.
    if (!isAnyAllowed) exchange.addHeaders([['vary', 'origin']]);
    if (origin === '' || !isOriginAllowed(origins, origin)) return;
    exchange.addHeaders([
      ['access-control-allow-origin', isAnyAllowed ? ANY : origin],
      ['access-control-expose-headers', EXPOSED],
      ...(exchange.method === 'OPTIONS' ? PREFLIGHT : []),
    ]);
  };
}
