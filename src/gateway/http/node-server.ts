/** The HTTP server on node:http, for where the binary of uWebSockets.js does not load. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpServer, HttpServerOptions, SharedByExchanges } from './exchange.js';
import { NodeExchange } from './node-exchange.js';
import { refusalOf } from './refusal.js';

/** An idle connection is kept as long as uWebSockets.js keeps it, whose time is fixed. */
const KEEP_ALIVE_MS = 10_000;

/** Makes the server; it does not listen yet. */
export function createNodeServer(options: HttpServerOptions): HttpServer {
  const shared: SharedByExchanges = {
    draining: false,
    inFlight: 0,
    writeStallMs: options.writeStallMs,
  };
  const server = createServer(
    { maxHeaderSize: options.headersBytesMax, keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true },
    (request, response) => options.handle(new NodeExchange(request, response, shared)),
  );
  server.on('clientError', refuse);
  return {
    name: 'node',
    get inFlight() {
      return shared.inFlight;
    },
    listen: (host, port) => listen(server, host, port),
    drain: () => {
      shared.draining = true;
      // Also closes the connections that are idle.
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
    // The error that `close` gives to a server that is already closed is no news.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Answers what the parser refused, and hangs up. */
function refuse(error: Error, socket: Duplex): void {
  if (socket.writable) socket.end(refusalOf(error));
  else socket.destroy();
}
