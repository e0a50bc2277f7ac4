/**
 * Passes a request to its handler: gives it an id, finds its route, and answers 404 or 405 if there is
 * none.
 */
import { Call } from './call.js';
import type { Configuration } from './config.js';
import { corsFor } from './cors.js';
import { Refusal } from './errors.js';
import type { Exchange } from './http/exchange.js';
import { createRouter, type Router } from './http/router.js';
import { limiterFor, type Refused } from './rate-limit.js';
import { type Handler, routes } from './routes.js';
import { RequestId } from './request-id.js';
import type { Service } from './service.js';

/** Creates the function that answers every request. `current` returns the service in force. */
export function createRequestHandler(
  configuration: Configuration,
  current: () => Service,
): (exchange: Exchange) => void {
  const route = createRouter(routes);
  const cors = corsFor(configuration.corsOrigins);
  const limiter = limiterFor(configuration, current().addressOf);
  return (exchange) => {
    cors?.(exchange);
    const refused = limiter?.(exchange);
    if (refused) refuse(exchange, current(), refused);
    else answerRequest(exchange, current(), route);
  };
}

function refuse(exchange: Exchange, service: Service, { problem, headers }: Refused): void {
  const requestId = new RequestId(exchange.headers['x-request-id']);
  new Call({ exchange, service, requestId, parameters: [] }).sendProblem(problem, headers);
}

function answerRequest(exchange: Exchange, service: Service, route: Router<Handler>): void {
  const match = route(exchange.method, exchange.path);
  const requestId = new RequestId(exchange.headers['x-request-id']);
  const parameters = match.kind === 'found' ? match.parameters : [];
  const call = new Call({ exchange, service, requestId, parameters });
  try {
    switch (match.kind) {
      case 'found':
        refuseRepeated(exchange.query);
        match.handler(call);
        return;
      case 'methodNotAllowed':
        refuseMethod(call, match.allow);
        return;
      case 'notFound':
        call.sendProblem({ code: 'not-found', detail: 'There is no endpoint at this path.' });
        return;
      case 'malformed':
        call.sendProblem({
          code: 'path-malformed',
          detail: 'The path contains a malformed percent escape.',
        });
    }
  } catch (error) {
    call.sendFault(error);
  }
}

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

function refuseMethod(call: Call, allow: string): void {
  const { method } = call.exchange;
  if (method === 'OPTIONS') {
    call.sendEmpty(204, [['allow', allow]]);
    return;
  }
  const detail = `This path accepts only ${allow}.`;
  call.sendProblem({ code: 'method-not-allowed', detail }, [['allow', allow]]);
}
