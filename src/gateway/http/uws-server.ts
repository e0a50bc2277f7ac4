/** The HTTP server on uWebSockets.js. This folder alone knows of it, and takes its default import. */
import type uWebSockets from 'uWebSockets.js';
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { Deadlines } from './deadlines.js';
import type { HttpServer, HttpServerOptions } from './exchange.js';
import { HEADERS_TOO_LARGE, problemAnswer, REQUEST_MALFORMED } from './refusal.js';
import { type SharedByUwsExchanges, UwsExchange } from './uws-exchange.js';

/** The default export of the package. */
export type UwsLibrary = typeof uWebSockets;

/** LIBUS_LISTEN_EXCLUSIVE_PORT: no other process may listen on the port. */
const EXCLUSIVE_PORT = 1;

/** Makes the server; it does not listen yet. */
export function createUwsServer(uws: UwsLibrary, options: HttpServerOptions): HttpServer {
  const shared: SharedByUwsExchanges = {
    draining: false,
    inFlight: 0,
    writeStallMs: options.writeStallMs,
    deadlines: new Deadlines(),
  };
  const app = uws.App();
  let listening: us_listen_socket | undefined;
  const serve = (exchange: UwsExchange) => {
    // The library bounds only the headers that come in more than one piece.
    if (exchange.headBytes > options.headersBytesMax) exchange.refuse(headersTooLarge);
    else if (exchange.malformed) exchange.refuse(requestMalformed);
    else options.handle(exchange);
  };
  // A method or a path that has its own route need not be asked for.
  for (const path of options.postPaths ?? []) {
    app.post(path, (response, request) => {
      serve(new UwsExchange(response, request, shared, 'POST', path));
    });
  }
  app.get('/*', (response, request) => serve(new UwsExchange(response, request, shared, 'GET')));
  app.post('/*', (response, request) => serve(new UwsExchange(response, request, shared, 'POST')));
  app.any('/*', (response, request) => serve(new UwsExchange(response, request, shared)));
  const stopListening = () => {
    if (listening !== undefined) uws.us_listen_socket_close(listening);
    listening = undefined;
  };
  return {
    name: 'uws',
    get inFlight() {
      return shared.inFlight;
    },
    listen: async (host, port) => {
      listening = await listenExclusively(app, host, port);
      return uws.us_socket_local_port(listening);
    },
    drain: () => {
      shared.draining = true;
      stopListening();
    },
    close: async () => {
      stopListening();
      app.close();
    },
  };
}

const headersTooLarge = problemAnswer(HEADERS_TOO_LARGE);
const requestMalformed = problemAnswer(REQUEST_MALFORMED);

function listenExclusively(app: TemplatedApp, host: string, port: number) {
  return new Promise<us_listen_socket>((resolve, reject) => {
    const listened = (socket: us_listen_socket | false) => {
      if (socket === false)
        reject(new Error(`Cannot listen on ${host}:${port}: is the port taken?`));
      else resolve(socket);
    };
    // The library takes options between port and callback; its types leave that form out.
    const listen: unknown = Reflect.get(app, 'listen');
    if (typeof listen === 'function')
      Reflect.apply(listen, app, [host, port, EXCLUSIVE_PORT, listened]);
  });
}
