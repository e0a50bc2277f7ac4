/**
 * Limits the requests of each principal to what its key or token allows: how many arrive in a second,
 * and how many are unanswered.
 */
import { ADMITTED, admitAll, rateLimiter, unansweredCounter, type Verdict } from '../rate-limit.js';
import type { Principal } from './principal.js';

/** Admits a request of a principal, or refuses it. */
type AdmitOf = (principal: Principal) => Verdict;

export function createLimits(): AdmitOf {
  const limits = [createUnanswered(), createRates()];
  return (principal) => admitAll(limits, principal);
}

/** Limits the unanswered requests of each name. */
function createUnanswered(): AdmitOf {
  const admit = unansweredCounter();
  return ({ name, limits }) => {
    const most = limits?.requests;
    if (most === undefined) return ADMITTED;
    return admit(name, (own) =>
      own >= most ? `This key may have ${most} unanswered requests.` : undefined,
    );
  };
}

/** Limits the rate of each name. The requests of one second may arrive at once. */
function createRates(): AdmitOf {
  // The number of rates is limited, because they come from the file of keys and from verified
  // tokens.
  const limits = new Map<number, ReturnType<typeof rateLimiter>>();
  return ({ name, rate }) => {
    if (rate === undefined) return ADMITTED;
    const known = limits.get(rate);
    const rateBurst = Math.max(1, Math.ceil(rate));
    const limit = known ?? rateLimiter({ rateLimit: rate, rateBurst }, 'key');
    if (!known) limits.set(rate, limit);
    return limit(name);
  };
}
