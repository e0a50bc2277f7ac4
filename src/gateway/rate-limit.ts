/** Limits how many requests a client address may send, and how many of them may be unanswered. */
import type { AddressOf } from './client-address.js';
import type { Configuration } from './config.js';
import type { KnownProblem } from './errors.js';
import type { Exchange, Header } from './http/exchange.js';
import { MONITORING_PATHS } from './monitoring-paths.js';

/** Whether a request may run, or one more of its queries, which counts like a request. */
export interface Verdict {
  /** Why it is refused. */
  readonly problem?: KnownProblem;
  /** The headers that report the limits. */
  readonly headers: readonly Header[];
  /** Must be called when what was admitted is answered. */
  readonly release?: () => void;
}

export const ADMITTED: Verdict = { headers: [] };

export type AdmitQuery = () => Verdict;

/** Admits what all limits admit. */
export function admitAll<Client>(
  limits: readonly ((client: Client) => Verdict)[],
  client: Client,
): Verdict {
  const headers: Header[] = [];
  const releases: (() => void)[] = [];
  const release = (): void => {
    for (const each of releases) each();
  };
  for (const limit of limits) {
    const verdict = limit(client);
    headers.push(...verdict.headers);
    if (verdict.release) releases.push(verdict.release);
    if (!verdict.problem) continue;
    release();
    return { problem: verdict.problem, headers };
  }
  return { headers, ...(releases.length > 0 && { release }) };
}

export interface Limiter {
  /** Admits and counts a request, or refuses it; undefined if no limit applies to it. */
  request(exchange: Exchange): Verdict | undefined;
  /** Admits the further queries of a request. Must be called before its answer. */
  queriesOf(exchange: Exchange): AdmitQuery;
}

/**
 * The number of addresses to remember. Beyond that, addresses whose burst is restored are forgotten.
 */
const ADDRESSES_MAX = 65_536;

/** Creates the limiter; undefined if there are no limits. */
export function limiterFor(options: Configuration, addressOf: AddressOf): Limiter | undefined {
  const limits = [
    ...(options.rateLimit > 0 ? [addressLimiter(options)] : []),
    ...(options.addressRequestsMax > 0 ? [shareLimiter(options.addressRequestsMax)] : []),
  ];
  if (limits.length === 0) return undefined;
  return {
    request: (exchange) => {
      if (MONITORING_PATHS.has(exchange.path)) return undefined;
      const verdict = admitAll(limits, networkOf(addressOf(exchange)));
      if (!verdict.problem) enter(exchange, verdict);
      return verdict;
    },
    queriesOf: (exchange) => {
      const network = networkOf(addressOf(exchange));
      return () => admitAll(limits, network);
    },
  };
}

/** Reports the limits to the client of an admitted request, which ends with its answer. */
export function enter(exchange: Exchange, { headers, release }: Verdict): void {
  if (headers.length > 0) exchange.addHeaders(headers);
  if (release) exchange.onDone(release);
}

type AddressLimit = (network: string) => Verdict;

function addressLimiter(rate: Rate): AddressLimit {
  const admit = rateLimiter('address');
  return (network) => admit(network, rate);
}

/** The network of an address. For IPv6, that is the /64, which one client may own. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  if (tail !== undefined) {
    const missing = 8 - groups.length - tail.split(':').length;
    groups.push(...Array.from({ length: missing }, () => '0'), ...tail.split(':'));
  }
  return groups.slice(0, 4).join(':');
}

export type Rate = Pick<Configuration, 'rateLimit' | 'rateBurst'>;

/**
 * The generic cell rate algorithm, which keeps for each address or key only the time at which its burst is
 * restored. The headers follow draft-ietf-httpapi-ratelimit-headers-09.
 */
export function rateLimiter(unit: 'address' | 'key'): (client: string, rate: Rate) => Verdict {
  const restoredAt = new Map<string, number>();
  return (client, { rateLimit, rateBurst }) => {
    const stepMs = 1000 / rateLimit;
    // The window has whole seconds: a burst that is restored in less than a second is part of that
    // second.
    const seconds = Math.ceil(rateBurst / rateLimit);
    const policy: Header = ['ratelimit-policy', `"${unit}";q=${rateLimit * seconds};w=${seconds}`];
    const now = performance.now();
    // A client whose rate has been raised waits no longer than with an empty burst.
    const latest = now + rateBurst * stepMs;
    const before = Math.min(Math.max(now, restoredAt.get(client) ?? 0), latest);
    // In this order, a restored burst is exactly zero despite the rounding of the clock.
    const waitMs = before - now + (1 - rateBurst) * stepMs;
    const isRefused = waitMs > 0;
    const after = isRefused ? before : before + stepMs;
    if (!isRefused) {
      if (restoredAt.size >= ADDRESSES_MAX) forgetRestored(restoredAt, now);
      restoredAt.set(client, after);
    }
    const left = Math.max(0, Math.floor(rateBurst - (after - now) / stepMs + ROUNDING));
    const reset = Math.ceil((isRefused ? waitMs : after - now) / 1000 - ROUNDING);
    const headers: readonly Header[] = [policy, ['ratelimit', `"${unit}";r=${left};t=${reset}`]];
    if (!isRefused) return { headers };
    const requests = rateLimit === 1 ? 'one request' : `${rateLimit} requests`;
    const detail = `This ${unit} may send ${requests} per second.`;
    const retry: Header = ['retry-after', String(reset)];
    return { problem: { code: 'rate-limited', detail }, headers: [retry, ...headers] };
  };
}

/** The largest rounding error of the clock, in requests and in seconds. */
const ROUNDING = 1e-6;

/** Forgets addresses whose burst is restored. If there are still too many, forgets all of them. */
function forgetRestored(restoredAt: Map<string, number>, now: number): void {
  for (const [network, at] of restoredAt) if (at <= now) restoredAt.delete(network);
  if (restoredAt.size >= ADDRESSES_MAX) restoredAt.clear();
}

/** Limits the unanswered requests of an address. An address that is alone may use everything. */
function shareLimiter(requestsMax: number): AddressLimit {
  const admit = unansweredCounter();
  return (network) =>
    admit(network, (own, total) =>
      own >= requestsMax && total > own
        ? `This address has ${own} unanswered requests, and other addresses are waiting.`
        : undefined,
    );
}

/** Says why a client with this many of all unanswered requests may not send another one, if so. */
type Why = (own: number, total: number) => string | undefined;

/** Counts the unanswered requests of each client, except those that are refused. */
export function unansweredCounter(): (client: string, why: Why) => Verdict {
  const unanswered = new Map<string, number>();
  let total = 0;
  return (client, why) => {
    const own = unanswered.get(client) ?? 0;
    const detail = why(own, total);
    if (detail !== undefined) {
      return { problem: { code: 'rate-limited', detail }, headers: [['retry-after', '1']] };
    }
    total += 1;
    unanswered.set(client, own + 1);
    const release = (): void => {
      total -= 1;
      const left = (unanswered.get(client) ?? 1) - 1;
      if (left > 0) unanswered.set(client, left);
      else unanswered.delete(client);
    };
    return { headers: [], release };
  };
}
