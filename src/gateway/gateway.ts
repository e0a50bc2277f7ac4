/** Starts, reloads and stops the gateway: its HTTP server and the service behind it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Schema } from '../engine/index.js';
import { createRequestHandler } from './answer-request.js';
import { BodyRoom } from './body-room.js';
import type { DispatcherCounters } from './dispatcher/dispatcher.js';
import { createHttpServer } from './http/create-server.js';
import type { PlanCacheCounters } from './plan-cache.js';
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
  const { host } = configuration;
  const { server, fallbackReason } = await createHttpServer(configuration.httpServer, {
    handle: createRequestHandler(current),
    postPaths,
    headersBytesMax: configuration.headersBytesMax,
    writeStallMs: configuration.writeStallMs,
  });
  if (fallbackReason !== undefined) {
    observer.observe({ kind: 'server-fallback', reason: fallbackReason });
  }
  const port = await server.listen(host, configuration.port);
  observer.observe({ kind: 'listening', host, port, server: server.name });
  return { http: server, port };
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
