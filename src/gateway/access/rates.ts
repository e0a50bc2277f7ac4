/**
 * Limits the requests of each principal to what its key or token allows: how many arrive in a second,
 * and how many are unanswered.
 */
import { rateLimiter, type Verdict } from '../rate-limit.js';
import type { Principal } from './principal.js';

type Limit = ReturnType<typeof rateLimiter>;

/** Admits a request of a principal, or refuses it. */
export type AdmitOf = (principal: Principal) => Verdict;

/** Creates the limiter. */
export function createLimits(): AdmitOf {
  const rates = createRates();
  const unanswered = createUnanswered();
  return (principal) => {
    const waiting = unanswered(principal);
    if (waiting.problem || principal.rate === undefined) return waiting;
    const rate = rates(principal);
    if (rate.problem) waiting.release?.();
    return rate.problem ? rate : { ...waiting, headers: rate.headers };
  };
}

/** Whether a principal has limits for its requests. */
export function hasLimits({ rate, limits }: Principal): boolean {
  return rate !== undefined || limits?.requests !== undefined;
}

/** Limits the unanswered requests of each name. */
function createUnanswered(): AdmitOf {
  const counts = new Map<string, number>();
  return ({ name, limits }) => {
    const most = limits?.requests;
    if (most === undefined) return { headers: [] };
    const own = counts.get(name) ?? 0;
    if (own >= most) {
      const detail = `This key may have ${most} unanswered requests.`;
      return { problem: { code: 'rate-limited', detail }, headers: [['retry-after', '1']] };
    }
    counts.set(name, own + 1);
    const release = (): void => {
      const left = (counts.get(name) ?? 1) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    };
    return { headers: [], release };
  };
}

/** Limits the rate of each name. The requests of one second may arrive at once. */
function createRates(): AdmitOf {
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
