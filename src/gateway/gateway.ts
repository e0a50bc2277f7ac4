/** Starts, reloads and stops the gateway: its HTTP server and the service behind it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Schema } from '../engine/index.js';
import { createRequestHandler } from './answer-request.js';
import { BodyRoom } from './body-room.js';
import { addressReader } from './client-address.js';
import { corsFor } from './cors.js';
import type { DispatcherCounters } from './dispatcher/dispatcher.js';
import type { Configuration } from './config.js';
import type { CertificateFiles } from './http/certificate.js';
import { createHttpServer } from './http/create-server.js';
import type { Place } from './http/place.js';
import { ConfigurationError } from './option.js';
import type { PlanCacheCounters } from './plan-cache.js';
import { limiterFor } from './rate-limit.js';
import { routes } from './routes.js';
import { createService, type GatewayOptions, type Service } from './service.js';
import { StreamMemory } from './stream-memory.js';

export interface Gateway {
  readonly port: number;
  readonly server: 'uws' | 'node';
  counters(): { readonly plans: PlanCacheCounters; readonly dispatcher: DispatcherCounters };
  /** Puts another schema in force; requests that have begun keep the old one. */
  reload(schema: Schema): Promise<void>;
  /** Stops: answers the requests in flight, at most for the drain time. Safe to call twice. */
  close(): Promise<void>;
}

/** How often a drain checks whether requests are still in flight. */
const DRAIN_POLL_MS = 10;
/** The longest that a reload waits for the first worker of the new service. */
const WORKER_START_MS = 10_000;

/** Rejects when the port is taken; nothing is left running then. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { configuration, observer } = options;
  const state = { draining: false };
  const { bodiesBytesMax, queueWaitMs, streamsBytesMax, streamWindowBytes } = configuration;
  const shared = {
    room: new BodyRoom(bodiesBytesMax, queueWaitMs),
    streams: new StreamMemory(streamsBytesMax, streamWindowBytes / 2),
    isDraining: () => state.draining,
    addressOf: addressReader(configuration.trustedProxies),
  };
  let service = createService(options, shared);
  const server = await startServer(options, () => service).catch(async (cause) => {
    await service.close(0);
    throw cause;
  });
  let closed: Promise<void> | undefined;
  const close = async () => {
    state.draining = true;
    observer.observe({ kind: 'draining', inFlight: server.http.inFlight });
    // Whoever asks `/readyz` learns of it before connections are refused.
    if (configuration.drainDelayMs > 0) await sleep(configuration.drainDelayMs);
    server.http.drain();
    const deadline = performance.now() + configuration.drainTimeoutMs;
    await untilNone(() => server.http.inFlight, deadline);
    await service.close(Math.max(0, deadline - performance.now()));
    await server.http.close();
    observer.observe({ kind: 'stopped' });
  };
  return {
    port: server.port,
    server: server.http.name,
    counters: () => ({ plans: service.plans.counters, dispatcher: service.dispatcher.counters }),
    reload: async (schema) => {
      await server.http.reloadCertificate();
      const next = createService({ ...options, schema }, shared);
      await untilWorking(next);
      const old = service;
      service = next;
      observer.observe({ kind: 'reloaded' });
      const deadline = performance.now() + configuration.drainTimeoutMs;
      await untilNone(() => old.dispatcher.counters.unanswered, deadline);
      await old.close(configuration.drainTimeoutMs);
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

const postPaths = routes.flatMap(([method, path]) =>
  method === 'POST' && !path.includes('{') ? [path] : [],
);

async function startServer(options: GatewayOptions, current: () => Service) {
  const { configuration, observer } = options;
  const place = placeOf(configuration);
  const { server, fallbackReason } = await createHttpServer(configuration.httpServer, {
    handle: createRequestHandler(current, {
      cors: corsFor(configuration.corsOrigins),
      limiter: limiterFor(configuration, current().addressOf),
    }),
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
  return { http: server, port };
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

/** Waits until a worker of the new service answers, so that no request waits for its start. */
async function untilWorking({ dispatcher }: Service): Promise<void> {
  await Promise.race([
    sleep(WORKER_START_MS, undefined, { ref: false }),
    new Promise<void>((resolve) => {
      const answered = () => resolve();
      const question = { type: 'probe', stage: undefined, tables: false } as const;
      dispatcher.ask(question, { probed: answered, failed: answered });
    }),
  ]);
}

/** Waits until the count is zero, or until the deadline. */
async function untilNone(count: () => number, deadline: number): Promise<void> {
  while (count() > 0 && performance.now() < deadline) await sleep(DRAIN_POLL_MS);
}
