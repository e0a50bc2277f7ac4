/** The HTTP server on node:http, for machines on which the binary of uWebSockets.js does not load. */
import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { readCertificate } from './certificate.js';
import { type HttpServer, type HttpServerOptions, RECEIVE_STALL_MS } from './exchange.js';
import { createNodeHandler } from './node-handler.js';
import { clearSocket, otherPort, type Place, placeText } from './place.js';

/** How long an idle connection stays open: as long as with uWebSockets.js, where it is fixed. */
const KEEP_ALIVE_MS = 10_000;

/** How often the server looks for heads of requests that take too long. */
const HEADS_CHECK_MS = 1000;

/** Makes the server; it does not listen yet. */
export function createNodeServer(options: HttpServerOptions): HttpServer {
  const handler = createNodeHandler(options);
  const { headersBytesMax: maxHeaderSize } = options;
  // NodeConnection refuses a request without a host and ignores the requests after it. node:http would go on
  // to answer them.
  const settings = {
    maxHeaderSize,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: RECEIVE_STALL_MS,
    connectionsCheckingInterval: HEADS_CHECK_MS,
    // A large body may take any time; NodeExchange notices when nothing of it arrives.
    requestTimeout: 0,
    noDelay: true,
    requireHostHeader: false,
  };
  const { certificate } = options;
  const secure =
    certificate &&
    createSecureServer(
      {
        ...settings,
        ...readCertificate(certificate),
        handshakeTimeout: RECEIVE_STALL_MS,
        allowHalfOpen: true,
      },
      handler.handle,
    );
  const server = secure ?? createServer(settings, handler.handle);
  // Missing from the types: a client may close its sending side and still receive its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', handler.refuse);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    whenFirst(response, () => {
      if (request.socket.destroyed) return;
      response.writeContinue();
      handler.handle(request, response);
    });
  });
  const sockets = new Set<Socket>();
  server.on(secure ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    name: 'node',
    get inFlight() {
      return handler.inFlight;
    },
    listen: (place) => listen(server, place),
    reloadCertificate: async () => {
      if (certificate) secure?.setSecureContext(readCertificate(certificate));
    },
    drain: () => {
      handler.drain();
      // That of node:http takes connections for idle whose answers wait in this process, and closes them.
      NetServer.prototype.close.call(server);
      for (const socket of sockets) if (handler.isIdle(socket)) socket.destroy();
    },
    close: () => close(server),
  };
}

/**
 * Calls `then` when the answers to all earlier pipelined requests have been sent. If `100 Continue` were written before,
 * node:http could insert it between the head and the body of the answer.
 */
function whenFirst(response: ServerResponse, then: () => void): void {
  if (response.socket) then();
  else response.once('socket', () => process.nextTick(then));
}

/** How many connections may wait to be accepted; the system's limit is usually the same. The others are delayed by seconds. */
const BACKLOG = 4096;

async function listen(server: Server, place: Place): Promise<number> {
  if (place.kind === 'socket') await clearSocket(place.path);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const hint = cause.code === 'EADDRINUSE' ? `. ${otherPort(place)}` : '';
      reject(new Error(`Cannot listen on ${placeText(place)}: ${cause.message}${hint}`, { cause }));
    });
    const where =
      place.kind === 'socket' ? { path: place.path } : { host: place.host, port: place.port };
    server.listen({ ...where, backlog: BACKLOG, exclusive: true }, resolve);
  });
  if (place.kind === 'socket') chmodSync(place.path, place.mode);
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // `close` reports an error if the server is already closed, which does not matter here.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
