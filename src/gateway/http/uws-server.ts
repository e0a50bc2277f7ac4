/** The HTTP server on uWebSockets.js, which only this folder imports, by its default export. */
import type uWebSockets from 'uWebSockets.js';
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { chmodSync, rmSync } from 'node:fs';
import { type CertificateFiles, type CertificatePair, readCertificate } from './certificate.js';
import { Deadlines } from './deadlines.js';
import type { HttpServer, HttpServerOptions, SharedByExchanges } from './exchange.js';
import { clearSocket, otherPort, type Place, placeText } from './place.js';
import { HEADERS_TOO_LARGE, REQUEST_MALFORMED } from './refusal.js';
import { UwsExchange } from './uws-exchange.js';

/** The default export of the package. */
export type UwsLibrary = typeof uWebSockets;

/** LIBUS_LISTEN_EXCLUSIVE_PORT: no other process may listen on the same port. */
const EXCLUSIVE_PORT = 1;

/** Makes the server; it does not listen yet. */
export function createUwsServer(uws: UwsLibrary, options: HttpServerOptions): HttpServer {
  const shared: SharedByExchanges = {
    draining: false,
    inFlight: 0,
    writeStallMs: options.writeStallMs,
    deadlines: new Deadlines(),
  };
  const { certificate } = options;
  const apps: TemplatedApp[] = [];
  let listening: us_listen_socket | undefined;
  /** Where the server is to listen, with the port that was bound; undefined when it is draining or closed. */
  let listeningAt: Place | undefined;
  const serve = (exchange: UwsExchange) => {
    // The library limits only headers that arrive in more than one piece.
    if (exchange.headBytes > options.headersBytesMax) exchange.refuse(HEADERS_TOO_LARGE);
    else if (exchange.malformed) exchange.refuse(REQUEST_MALFORMED);
    else {
      options.handle(exchange);
      exchange.handled();
    }
  };
  const createApp = (): TemplatedApp => {
    const app = appOf(uws, certificate);
    // Registering a method saves the handler a look-up.
    app.get('/*', (response, request) => serve(new UwsExchange(response, request, shared, 'GET')));
    app.post('/*', (response, request) =>
      serve(new UwsExchange(response, request, shared, 'POST')),
    );
    app.any('/*', (response, request) => serve(new UwsExchange(response, request, shared)));
    apps.push(app);
    return app;
  };
  // The library does not report what is wrong with the certificate.
  let pair = certificate && readCertificate(certificate);
  let app = createApp();
  const stopListening = () => {
    if (listening === undefined) return;
    uws.us_listen_socket_close(listening);
    listening = undefined;
    if (listeningAt?.kind === 'socket') rmSync(listeningAt.path, { force: true });
  };
  const listen = async (place: Place): Promise<number> => {
    listening = await listenExclusively(app, place);
    if (place.kind === 'socket') {
      listeningAt = place;
      chmodSync(place.path, place.mode);
      return 0;
    }
    const port = uws.us_socket_local_port(listening);
    if (place.port === 0 && certificate) {
      // Linux lets another app take over only a port that was requested explicitly.
      uws.us_listen_socket_close(listening);
      return listen({ ...place, port });
    }
    listeningAt = { ...place, port };
    return port;
  };
  return {
    name: 'uws',
    get inFlight() {
      return shared.inFlight;
    },
    listen: async (place) => {
      if (place.kind === 'socket') await clearSocket(place.path);
      return listen(place);
    },
    // An app cannot change its certificate. A new app takes over listening, and the old one keeps its
    // connections. The library frees the memory of an app only when the process ends.
    reloadCertificate: async () => {
      if (certificate === undefined || listeningAt === undefined) return;
      const next = readCertificate(certificate);
      // If nothing could listen the last time, the same certificate is tried again.
      if (listening !== undefined && pair && isSame(pair, next)) return;
      const [before, place] = [app, listeningAt];
      app = createApp();
      stopListening();
      try {
        await listen(place);
        pair = next;
      } catch (cause) {
        stopListening();
        app = before;
        await listen(place);
        throw cause;
      }
    },
    drain: () => {
      shared.draining = true;
      stopListening();
      listeningAt = undefined;
    },
    close: async () => {
      stopListening();
      listeningAt = undefined;
      for (const each of apps) each.close();
    },
  };
}

function appOf(uws: UwsLibrary, certificate: CertificateFiles | undefined): TemplatedApp {
  if (certificate === undefined) return uws.App();
  return uws.SSLApp({ cert_file_name: certificate.certFile, key_file_name: certificate.keyFile });
}

function isSame(one: CertificatePair, other: CertificatePair): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key);
}

function listenExclusively(app: TemplatedApp, place: Place): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    const listened = (socket: us_listen_socket | false) => {
      if (socket === false) {
        const reason =
          place.kind === 'port'
            ? `another process may be using the port. ${otherPort(place)}`
            : 'the folder may not be writable.';
        reject(new Error(`Cannot listen on ${placeText(place)}: ${reason}`));
      } else resolve(socket);
    };
    if (place.kind === 'socket') {
      app.listen_unix(listened, place.path);
      return;
    }
    // The library takes options between port and callback; its types omit that form.
    const listen: unknown = Reflect.get(app, 'listen');
    if (typeof listen === 'function')
      Reflect.apply(listen, app, [place.host, place.port, EXCLUSIVE_PORT, listened]);
  });
}
