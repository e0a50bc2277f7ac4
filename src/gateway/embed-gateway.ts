/** A gateway inside another program, which its HTTP server or its code calls. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequestHandler } from './answer-request.js';
import { readConsoleFiles } from './console-files.js';
import { executeQuery, type Query } from './execute-query.js';
import { createNodeHandler } from './http/node-handler.js';
import type { GatewayOptions } from './service.js';
import { createServing } from './serving.js';

export interface EmbeddedGateway {
  /**
   * Answers a request of a node:http server at the endpoint that its `url` names. The body must not have
   * been read before; throws if it has.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Resolves to the parsed JSON that `POST /execute` would answer: the rows of a read, or the result of a
   * write. The whole answer is held in memory. Rejects with a QueryError.
   */
  readonly execute: (query: Query) => Promise<unknown>;
  /** Stops: answers the requests in flight, at most for the drain time. Safe to call twice. */
  readonly close: () => Promise<void>;
}

/** Starts the workers; listens on no port. */
export async function embedGateway(options: GatewayOptions): Promise<EmbeddedGateway> {
  // All endpoints are those of the program's own server.
  const configuration = { ...options.configuration, adminPort: undefined };
  const consoleFiles = configuration.console ? readConsoleFiles(options.consoleUrl) : undefined;
  const { current, authority, close } = await createServing(
    { ...options, configuration },
    consoleFiles,
  );
  const handler = createNodeHandler({
    handle: createRequestHandler({ configuration, current, authority }),
    writeStallMs: configuration.writeStallMs,
  });
  return {
    handle: (request, response) => {
      if (request.readableDidRead && request.method === 'POST') throw new Error(BODY_WAS_READ);
      handler.handle(request, response);
    },
    execute: (query) => executeQuery(current(), query),
    close: () => close(handler),
  };
}

const BODY_WAS_READ =
  'The body of this request has already been read: call gateway.handle before any body parser.';
