/** Admits requests: determines who sends them, and whether the sender may use the endpoint. */
import { Call, type CallOptions } from '../call.js';
import type { Endpoint } from '../routes.js';
import type { Authority } from './authority.js';
import { ANONYMOUS } from './counts.js';
import { holdBody } from './early-body.js';
import { type Principal, requireRight } from './principal.js';
import { enter } from '../rate-limit.js';
import { createLimits } from './rates.js';

/** Answers a request by its endpoint's handler, or refuses it. */
export type Guard = (options: CallOptions, endpoint: Endpoint) => void;

/** `run` calls the handler of an admitted call, and answers errors that it throws. */
export function guardFor(
  authority: Authority,
  run: (call: Call, handle: Endpoint['handle']) => void,
): Guard {
  const limits = createLimits();
  const admit = (options: CallOptions, principal: Principal, { need, handle }: Endpoint): void => {
    principal.counts.requests += 1;
    const call = new Call(options, principal, () => limits(principal));
    const verdict = limits(principal);
    if (verdict.problem) return call.sendProblem(verdict.problem, verdict.headers);
    enter(call.exchange, verdict);
    if (need === 'query' || need === 'open') run(call, handle);
    else {
      run(call, () => {
        requireRight(principal, need);
        handle(call);
      });
    }
  };
  const refuse = (call: Call, error: unknown) => {
    authority.counts.of(ANONYMOUS).requests += 1;
    authority.counts.of(ANONYMOUS).refused += 1;
    call.sendFault(error);
  };
  return (options, endpoint) => {
    const { exchange } = options;
    let found: Principal | Promise<Principal>;
    try {
      found = authority.identify(exchange.headers.authorization);
    } catch (error) {
      return refuse(new Call(options), error);
    }
    if (!(found instanceof Promise)) return admit(options, found, endpoint);
    // Logs if the client disconnects meanwhile.
    const unknown = new Call(options);
    unknown.onAbort(ignore);
    const held = holdBody(exchange);
    const settle = (then: () => void) => {
      if (exchange.aborted) return;
      exchange.onAbort(ignore);
      then();
      held.release();
    };
    found.then(
      (principal) =>
        settle(() => admit({ ...options, exchange: held.exchange }, principal, endpoint)),
      (error: unknown) => settle(() => refuse(unknown, error)),
    );
  };
}

function ignore(): void {}
