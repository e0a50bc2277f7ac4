/** Handles requests of a node:http server: Rowgate's own, or that of a program that embeds Rowgate. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Deadlines } from './deadlines.js';
import type { HttpServer, HttpServerOptions } from './exchange.js';
import { NodeConnection } from './node-connection.js';
import { NodeExchange, type SharedByNodeExchanges } from './node-exchange.js';
import { PacedAnswers } from './paced-answers.js';

export interface NodeHandler extends Pick<HttpServer, 'inFlight' | 'drain'> {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Answers a request that the parser of node:http has refused, and closes the connection. */
  refuse(error: Error, socket: Duplex): void;
  /** Whether all requests of a connection are answered, the system has taken the answers, and no request has begun. */
  isIdle(socket: Socket): boolean;
}

/** Makes a handler that does not touch the server that the requests come from. */
export function createNodeHandler({
  handle,
  writeStallMs,
}: Pick<HttpServerOptions, 'handle' | 'writeStallMs'>): NodeHandler {
  const shared: SharedByNodeExchanges = {
    draining: false,
    inFlight: 0,
    writeStallMs,
    deadlines: new Deadlines(),
    answers: new PacedAnswers(),
  };
  const connections = new WeakMap<Duplex, NodeConnection>();
  const connectionOf = (socket: Duplex): NodeConnection => {
    const known = connections.get(socket);
    if (known) return known;
    shared.answers.newClient();
    const connection = new NodeConnection(socket);
    connections.set(socket, connection);
    return connection;
  };
  return {
    handle: (request, response) => {
      // The client may have gone while an embedding program prepared this call, and will not go again.
      if (response.closed || response.destroyed || request.socket.destroyed) return;
      const connection = connectionOf(request.socket);
      if (!connection.accepts(request, response)) return;
      handle(new NodeExchange(request, response, connection, shared));
    },
    refuse: (error, socket) => connectionOf(socket).refuse(error),
    isIdle: (socket) => connections.get(socket)?.isIdle(socket.bytesRead) ?? socket.bytesRead === 0,
    get inFlight() {
      return shared.inFlight;
    },
    drain: () => {
      shared.draining = true;
    },
  };
}
