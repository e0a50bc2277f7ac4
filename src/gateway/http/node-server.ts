/** The HTTP server on node:http, for where the binary of uWebSockets.js does not load. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { readCertificate } from './certificate.js';
import type { HttpServer, HttpServerOptions, SharedByExchanges } from './exchange.js';
import { NodeConnection } from './node-connection.js';
import { NodeExchange } from './node-exchange.js';
import { clearSocket, openSocket, type Place, placeText } from './place.js';

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
  const answer: RequestListener = (request, response) => {
    const connection = connectionOf(request.socket);
    if (!connection.accepts(request, response)) return;
    options.handle(new NodeExchange(request, response, connection, shared));
  };
  // A request without a host is refused with what stands behind it, which node:http would answer.
  const settings = {
    maxHeaderSize,
    keepAliveTimeout: KEEP_ALIVE_MS,
    noDelay: true,
    requireHostHeader: false,
  };
  const { certificate } = options;
  const secure =
    certificate && createSecureServer({ ...settings, ...readCertificate(certificate) }, answer);
  const server = secure ?? createServer(settings, answer);
  // Not in the types: the end of what a client sends does not end the connection.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error, socket) => connectionOf(socket).refuse(error));
  return {
    name: 'node',
    get inFlight() {
      return shared.inFlight;
    },
    listen: (place) => listen(server, place),
    reloadCertificate: async () => {
      if (certificate) secure?.setSecureContext(readCertificate(certificate));
    },
    drain: () => {
      shared.draining = true;
      // Also closes the connections that are idle.
      server.close();
    },
    close: () => close(server),
  };
}

async function listen(server: Server, place: Place): Promise<number> {
  if (place.kind === 'socket') await clearSocket(place.path);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`Cannot listen on ${placeText(place)}: ${cause.message}`, { cause }));
    });
    if (place.kind === 'socket') server.listen(place.path, resolve);
    else server.listen({ host: place.host, port: place.port, exclusive: true }, resolve);
  });
  if (place.kind === 'socket') openSocket(place.path, place.mode);
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The error that `close` gives to a server that is already closed is no news.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
