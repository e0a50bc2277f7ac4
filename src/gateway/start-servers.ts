/** Starts the HTTP servers: one for all endpoints or, with `--admin-port`, one of two for those of monitoring. */
import { type Answering, createRequestHandler } from './answer-request.js';
import { certificateOf, type Configuration } from './config.js';
import { createHttpServer } from './http/create-server.js';
import type { Place } from './http/place.js';
import { MONITORING_PATHS } from './monitoring-paths.js';
import type { Observer } from './observe.js';
import { routes } from './routes.js';

/** Resolves to the servers as one. Rejects if a port is in use, and leaves nothing listening then. */
export async function startServers({ observe }: Observer, answering: Answering) {
  const { host, adminPort } = answering.configuration;
  const hasAdmin = adminPort !== undefined;
  const isMonitoring = (path: string) => MONITORING_PATHS.has(path);
  const isOnMain = (path: string) => !hasAdmin || !isMonitoring(path);
  const { server: main, fallbackReason } = await createServer(answering, isOnMain);
  const admin = hasAdmin ? (await createServer(answering, isMonitoring)).server : undefined;
  const all = admin ? [main, admin] : [main];
  const close = async () => {
    await Promise.all(all.map((each) => each.close()));
  };
  if (fallbackReason !== undefined) observe({ kind: 'server-fallback', reason: fallbackReason });
  try {
    const adminPlace = { kind: 'port', host, port: adminPort ?? 0, flag: '--admin-port' } as const;
    // First, so that no client is answered by a gateway that does not start.
    const boundAdminPort = await admin?.listen(adminPlace);
    const place = placeOf(answering.configuration);
    const port = await main.listen(place);
    const at = place.kind === 'port' ? { host, port } : { socket: place.path };
    observe({ kind: 'listening', ...at, server: main.name });
    if (boundAdminPort !== undefined)
      observe({ kind: 'admin-listening', host, port: boundAdminPort, server: main.name });
    return {
      name: main.name,
      port,
      adminPort: boundAdminPort,
      get inFlight() {
        return all.reduce((sum, { inFlight }) => sum + inFlight, 0);
      },
      reloadCertificate: async () => {
        for (const each of all) await each.reloadCertificate();
      },
      // Monitoring is answered until the end.
      drain: () => main.drain(),
      close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** `isServed`: whether the server has the endpoints at a path. */
function createServer(answering: Answering, isServed: (path: string) => boolean) {
  const { configuration } = answering;
  const served = routes.filter(([, path]) => isServed(path));
  return createHttpServer(configuration.httpServer, {
    handle: createRequestHandler(answering, served),
    headersBytesMax: configuration.headersBytesMax,
    writeStallMs: configuration.writeStallMs,
    certificate: certificateOf(configuration),
  });
}

/** Where the main server listens. */
export function placeOf({ host, port, socket, socketMode }: Configuration): Place {
  if (socket === undefined) return { kind: 'port', host, port };
  return { kind: 'socket', path: socket, mode: Number.parseInt(socketMode, 8) };
}
