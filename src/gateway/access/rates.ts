/** Limits the requests of each principal to the rate that its key or token allows. */
import { rateLimiter, type Verdict } from '../rate-limit.js';
import type { Principal } from './principal.js';

type Limit = ReturnType<typeof rateLimiter>;

/** Creates the limiter. The requests of one second may arrive at once. */
export function createRates(): (principal: Principal) => Verdict {
  // The number of rates is limited, because they come from the file of keys and from verified
  // tokens.
  const limits = new Map<number, Limit>();
  return ({ name, rate = 0 }) => {
    const known = limits.get(rate);
    const rateBurst = Math.max(1, Math.ceil(rate));
    const limit = known ?? rateLimiter({ rateLimit: rate, rateBurst }, 'key');
    if (!known) limits.set(rate, limit);
    return limit(name);
  };
}
