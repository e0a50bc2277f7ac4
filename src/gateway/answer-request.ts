/**
 * Passes a request to its handler: gives it an id, finds its route, and answers 404 or 405 if there is
 * none.
 */
import { didYouMean } from '../engine/index.js';
import type { Authority } from './access/authority.js';
import { guardFor } from './access/guard.js';
import { Call } from './call.js';
import type { Configuration } from './config.js';
import { corsFor } from './cors.js';
import { ENDPOINTS_HINT, Refusal } from './errors.js';
import type { Exchange } from './http/exchange.js';
import { createRouter, type RouteMatch } from './http/router.js';
import { limiterFor } from './rate-limit.js';
import { type Endpoint, type Handler, routes } from './routes.js';
import { RequestId } from './request-id.js';
import type { Service } from './service.js';

/** What requests depend on: the service in force, and the authority, without which all may use everything. */
export interface Answering {
  readonly configuration: Configuration;
  readonly current: () => Service;
  readonly authority: Authority | undefined;
}

/** Makes the function that answers every request of a server with these endpoints. */
export function createRequestHandler(
  { configuration, current, authority }: Answering,
  served = routes,
): (exchange: Exchange) => void {
  const route = createRouter(
    served.map(([method, path, handle, need]) => {
      const counts = current().traffic.addRoute(method, path);
      return [method, path, { handle, need, counts }] as const;
    }),
  );
  /** Those without names. */
  const paths = served.map(([, path]) => path).filter((path) => !path.includes('{'));
  const cors = corsFor(configuration.corsOrigins);
  const limiter = limiterFor(configuration, current().addressOf);
  const guard = authority && guardFor(authority, run);
  return (exchange) => {
    const service = current();
    cors?.(exchange);
    const verdict = limiter?.request(exchange);
    if (verdict?.problem) {
      unroutedCall(exchange, service).sendProblem(verdict.problem, verdict.headers);
      return;
    }
    service.open.count += 1;
    exchange.onDone(service.open.ended);
    const match = route(exchange.method, exchange.path);
    if (match.kind !== 'found') {
      answerUnrouted(unroutedCall(exchange, service), match, paths);
      return;
    }
    const { parameters, handler } = match;
    const requestId = new RequestId(exchange.headers['x-request-id']);
    const options = { exchange, service, requestId, parameters, route: handler.counts, limiter };
    if (guard === undefined || handler.need === 'open') run(new Call(options), handler.handle);
    else guard(options, handler);
  };
}

function unroutedCall(exchange: Exchange, service: Service): Call {
  const requestId = new RequestId(exchange.headers['x-request-id']);
  const route = service.traffic.unrouted;
  return new Call({ exchange, service, requestId, parameters: [], route });
}

function run(call: Call, handle: Handler): void {
  // Logs and counts a client that leaves before its handler has something to cancel.
  call.onAbort(ignore);
  try {
    refuseRepeated(call.exchange.query);
    handle(call);
  } catch (error) {
    call.sendFault(error);
  }
}

function ignore(): void {}

/** Programs disagree about which of two values counts. Throws a `Refusal`. */
function refuseRepeated(query: string): void {
  if (!query.includes('&')) return;
  const seen = new Set<string>();
  for (const name of new URLSearchParams(query).keys()) {
    if (seen.has(name)) {
      throw new Refusal('parameter-repeated', `The URL has the parameter "${name}" twice.`);
    }
    seen.add(name);
  }
}

function answerUnrouted(
  call: Call,
  match: Exclude<RouteMatch<Endpoint>, { readonly kind: 'found' }>,
  paths: readonly string[],
): void {
  switch (match.kind) {
    case 'methodNotAllowed':
      refuseMethod(call, match.allow);
      return;
    case 'notFound':
      call.sendProblem({
        code: 'not-found',
        detail: 'There is no endpoint at this path.',
        hint: endpointHint(call.exchange.path, paths),
      });
      return;
    case 'malformed':
      call.sendProblem({
        code: 'path-malformed',
        detail: 'The path contains a malformed percent escape.',
      });
  }
}

function endpointHint(path: string, paths: readonly string[]): string {
  const isMain = paths.includes('/openapi.json');
  return didYouMean(path, paths) ?? (isMain ? ENDPOINTS_HINT : `Try ${paths.join(', ')}.`);
}

function refuseMethod(call: Call, allow: string): void {
  const { method } = call.exchange;
  if (method === 'OPTIONS') {
    call.sendEmpty(204, [['allow', allow]]);
    return;
  }
  const detail = `This path accepts only ${allow}.`;
  call.sendProblem({ code: 'method-not-allowed', detail }, [['allow', allow]]);
}
