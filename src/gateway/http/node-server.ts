/** The HTTP server on node:http, for where the binary of uWebSockets.js does not load. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpServer, HttpServerOptions, SharedByExchanges } from './exchange.js';
import { NodeConnection } from './node-connection.js';
import { NodeExchange } from './node-exchange.js';

/** An idle connection is kept as long as uWebSockets.js keeps it, whose time is fixed. */
const KEEP_ALIVE_MS = 10_000;

/** Makes the server; it does not listen yet. */
export function createNodeServer(options: HttpServerOptions): HttpServer {
  const shared: SharedByExchanges = {
    draining: false,
    inFlight: 0,
    writeStallMs: options.writeStallMs,
  };
  const connections = new WeakMap<Duplex, NodeConnection>();
  const connectionOf = (socket: Duplex): NodeConnection => {
    const connection = connections.get(socket) ?? new NodeConnection(socket);
    connections.set(socket, connection);
    return connection;
  };
  const { headersBytesMax: maxHeaderSize } = options;
  const server = createServer(
    // A request without a host is refused with what stands behind it, which node:http would answer.
    { maxHeaderSize, keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true, requireHostHeader: false },
    (request, response) => {
      const connection = connectionOf(request.socket);
      if (!connection.accepts(request, response)) return;
      options.handle(new NodeExchange(request, response, connection, shared));
    },
  );
  // Not in the types: the end of what a client sends does not end the connection.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error, socket) => connectionOf(socket).refuse(error));
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
