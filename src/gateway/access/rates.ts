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

/** Limits the rate of each name, which its last key or token gives. The requests of one second may arrive at once. */
function createRates(): AdmitOf {
  const admit = rateLimiter('key');
  return ({ name, rate }) => {
    if (rate === undefined) return ADMITTED;
    return admit(name, { rateLimit: rate, rateBurst: Math.max(1, Math.ceil(rate)) });
  };
}
