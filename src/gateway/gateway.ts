/** The gateway as a server: its HTTP server, and the service behind it. */
import { type Answering, createRequestHandler } from './answer-request.js';
import type { DispatcherCounters } from './dispatcher/dispatcher.js';
import type { Configuration } from './config.js';
import { readConsoleFiles } from './console-files.js';
import type { CertificateFiles } from './http/certificate.js';
import { createHttpServer } from './http/create-server.js';
import { isLocal, isLoopback, type Place } from './http/place.js';
import { ConfigurationError } from './option.js';
import type { PlanCacheCounters } from './plan-cache.js';
import { routes } from './routes.js';
import type { GatewayOptions } from './service.js';
import { createServing, type Serving } from './serving.js';

export interface Gateway extends Pick<Serving, 'reload'> {
  readonly port: number;
  readonly server: 'uws' | 'node';
  readonly hasConsole: boolean;
  counters(): { readonly plans: PlanCacheCounters; readonly dispatcher: DispatcherCounters };
  /** Stops: answers the requests in flight, at most for the drain time. Safe to call twice. */
  close(): Promise<void>;
}

/** Starts the gateway. Rejects if the port is in use, and leaves nothing running then. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { configuration } = options;
  const isServed = configuration.console ?? isLoopback(placeOf(configuration));
  const consoleFiles = isServed ? readConsoleFiles(options.consoleUrl) : undefined;
  const serving = await createServing(options, consoleFiles);
  const { current, authority, reload, close } = serving;
  const answering = { configuration, current, authority };
  const { http, port } = await startServer(options, answering).catch(async (cause) => {
    authority?.close();
    await current().close(0);
    throw cause;
  });
  return {
    port,
    server: http.name,
    hasConsole: consoleFiles !== undefined,
    counters: () => {
      const { plans, dispatcher } = current();
      return { plans: plans.counters, dispatcher: dispatcher.counters };
    },
    reload: async (schema) => {
      await http.reloadCertificate();
      await reload(schema);
    },
    close: () => close(http),
  };
}

const postPaths = routes.flatMap(([method, path]) =>
  method === 'POST' && !path.includes('{') ? [path] : [],
);

async function startServer({ observer }: GatewayOptions, answering: Answering) {
  const { configuration } = answering;
  const place = placeOf(configuration);
  const { server, fallbackReason } = await createHttpServer(configuration.httpServer, {
    handle: createRequestHandler(answering),
    postPaths,
    headersBytesMax: configuration.headersBytesMax,
    writeStallMs: configuration.writeStallMs,
    certificate: certificateOf(configuration),
  });
  if (fallbackReason !== undefined) {
    observer.observe({ kind: 'server-fallback', reason: fallbackReason });
  }
  const port = await server.listen(place);
  const at = place.kind === 'port' ? { host: place.host, port } : { socket: place.path };
  observer.observe({ kind: 'listening', ...at, server: server.name });
  if (isOpenToAll(configuration))
    observer.observe({ kind: 'open-to-all', host: configuration.host });
  return { http: server, port };
}

/** Whether other machines can do everything, and nobody has asked for that. */
export function isOpenToAll(configuration: Configuration): boolean {
  const { keysFile, jwtKeyFile, jwtJwksUrl, insecure } = configuration;
  const needsKeys = keysFile ?? jwtKeyFile ?? jwtJwksUrl;
  return needsKeys === undefined && !insecure && !isLocal(placeOf(configuration));
}

function placeOf({ host, port, socket, socketMode }: Configuration): Place {
  if (socket === undefined) return { kind: 'port', host, port };
  return { kind: 'socket', path: socket, mode: Number.parseInt(socketMode, 8) };
}

function certificateOf({ tlsCert, tlsKey }: Configuration): CertificateFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey };
  throw new ConfigurationError('--tls-cert and --tls-key belong together');
}
