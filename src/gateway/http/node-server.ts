/** The HTTP server on node:http, for machines on which the binary of uWebSockets.js does not load. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpServer, HttpServerOptions } from './exchange.js';
import { createNodeHandler } from './node-handler.js';

/** How long an idle connection stays open: as long as with uWebSockets.js, where it is fixed. */
const KEEP_ALIVE_MS = 10_000;

/** Makes the server; it does not listen yet. */
export function createNodeServer(options: HttpServerOptions): HttpServer {
  const handler = createNodeHandler(options);
  const { headersBytesMax: maxHeaderSize } = options;
  const server = createServer(
    // NodeConnection refuses a request without a host and ignores those behind it. node:http would go on
    // to answer them.
    { maxHeaderSize, keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true, requireHostHeader: false },
    handler.handle,
  );
  // Missing from the types: a client may close its sending side and still receive its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', handler.refuse);
  return {
    name: 'node',
    get inFlight() {
      return handler.inFlight;
    },
    listen: (host, port) => listen(server, host, port),
    drain: () => {
      handler.drain();
      // Also closes idle connections.
      server.close();
    },
    close: () => close(server),
  };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`Cannot listen on ${host}:${port}: ${cause.message}`, { cause }));
    });
    server.listen({ host, port, exclusive: true }, () => {
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // `close` reports an error if the server is already closed, which does not matter here.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
