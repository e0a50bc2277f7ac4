/** The service in force. A reload replaces it, and `close` lets its requests finish first. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Schema } from '../engine/index.js';
import { type Authority, authorityFor } from './access/authority.js';
import { BodyRoom } from './body-room.js';
import { addressReader } from './client-address.js';
import type { ConsoleFiles } from './console-files.js';
import { probeWithin } from './dispatcher/ask-within.js';
import type { Dispatcher } from './dispatcher/dispatcher.js';
import { Dispatchers } from './dispatcher/dispatchers.js';
import { START_MS } from './dispatcher/watchdog.js';
import type { HttpServer } from './http/exchange.js';
import { createService, type GatewayOptions, type Service } from './service.js';
import { PlanStatistics } from './statistics/plan-statistics.js';
import { Traffic } from './statistics/traffic.js';
import { StreamMemory } from './stream-memory.js';

export interface Serving {
  readonly current: () => Service;
  /** Set if requests need keys or tokens. */
  readonly authority: Authority | undefined;
  /**
   * Reads the keys again, and puts another schema in force. Requests that have begun keep the old one, however long
   * they take. Rejects, without a change, if something is invalid. `reloadOthers` is called when nothing else can
   * fail. Must not be called again before it has settled.
   */
  reload(schema: Schema, reloadOthers?: () => Promise<void>): Promise<void>;
  /**
   * Refuses new requests, answers those in flight, at most for the drain time, and ends the workers and the
   * server. Safe to call twice.
   */
  close(http: Drained): Promise<void>;
}

/** The HTTP requests that `close` waits for. */
export type Drained = Pick<HttpServer, 'inFlight' | 'drain'> & Partial<Pick<HttpServer, 'close'>>;

/** How often a drain checks whether requests are still in flight. */
const DRAIN_POLL_MS = 10;
/** The pauses between probes of a worker that fails while it starts; each is twice as long as the one before. */
const PROBE_PAUSE_MS = 150;
const PROBE_PAUSE_MS_MAX = 1200;

/** Starts a service on the schema. */
export async function createServing(
  options: GatewayOptions,
  consoleFiles?: ConsoleFiles,
): Promise<Serving> {
  const { configuration, observer } = options;
  const authority = await authorityFor(configuration, observer.observe);
  const { bodiesBytesMax, queueWaitMs, streamsBytesMax, streamWindowBytes } = configuration;
  const state = { draining: false, refusing: false };
  const shared = {
    room: new BodyRoom(bodiesBytesMax, queueWaitMs),
    streams: new StreamMemory(streamsBytesMax, streamWindowBytes / 2),
    isDraining: () => state.draining,
    isRefusing: () => state.refusing,
    senders: authority?.counts.all,
    consoleFiles,
    addressOf: addressReader(configuration.trustedProxies),
    traffic: new Traffic(configuration.latencyBuckets.map(Number)),
    statistics: new PlanStatistics(configuration.statsPlans),
    dispatchers: new Dispatchers(),
  };
  let service = createService(options, shared);
  /** The service in force, one that is starting, and those that a reload has replaced but that still have requests. */
  const running = new Set([service]);
  const stop = async (http: Drained) => {
    state.draining = true;
    observer.observe({ kind: 'draining', inFlight: http.inFlight });
    // Clients of `/readyz` learn that the service is stopping before connections are refused.
    if (configuration.drainDelayMs > 0) await sleep(configuration.drainDelayMs);
    http.drain();
    state.refusing = true;
    const deadline = performance.now() + configuration.drainTimeoutMs;
    while (countOpen(http, running) > 0 && performance.now() < deadline) await sleep(DRAIN_POLL_MS);
    const leftMs = Math.max(0, deadline - performance.now());
    await Promise.all([...running].map((each) => each.close(leftMs)));
    await http.close?.();
    authority?.close();
    observer.observe({ kind: 'stopped' });
  };
  /** Ends a replaced service after its last request: only a stop limits the time of requests. */
  const retire = async (old: Service) => {
    old.sources.close();
    old.dispatcher.closeIdleConnections();
    while (old.open.count > 0 && !state.draining) {
      old.dispatcher.endIdleWorkers();
      await sleep(DRAIN_POLL_MS);
    }
    if (state.draining) return;
    await Promise.all([old.dispatcher.countWorkers(), old.large.countWorkers()]);
    await old.close(configuration.drainTimeoutMs);
    running.delete(old);
    // Its last large bodies and slow readers would keep it in memory.
    shared.room.forgetEnded();
    shared.streams.forgetEnded();
  };
  let stopped: Promise<void> | undefined;
  return {
    current: () => service,
    authority,
    reload: async (schema, reloadOthers) => {
      const useKeys = authority?.prepareReload();
      if (state.draining) return;
      const next = createService({ ...options, schema }, shared);
      running.add(next);
      try {
        // Otherwise requests would wait for the start of a worker.
        const hasStarted = await waitForWorker(next.dispatcher, shared.isDraining);
        if (!hasStarted && !state.draining)
          throw new Error('The workers of the new schema do not start.');
        await reloadOthers?.();
      } catch (cause) {
        running.delete(next);
        await next.close(0);
        throw cause;
      }
      if (state.draining) return;
      const old = service;
      // At the same time: a new key without a view may count on the view of a new stage.
      useKeys?.();
      service = next;
      observer.observe({ kind: 'reloaded' });
      // The next reload must not wait for the requests of the old service.
      void retire(old);
    },
    close: (http) => (stopped ??= stop(http)),
  };
}

/** Whether a worker starts in time. One that fails is started again after a pause, so there are several probes. */
async function waitForWorker(dispatcher: Dispatcher, isDraining: () => boolean): Promise<boolean> {
  const deadline = performance.now() + START_MS;
  for (let pauseMs = PROBE_PAUSE_MS; ; pauseMs *= 2) {
    await probeWithin(dispatcher, Math.max(0, deadline - performance.now()));
    if (dispatcher.hasStarted || isDraining()) return dispatcher.hasStarted;
    if (pauseMs > PROBE_PAUSE_MS_MAX || performance.now() >= deadline) return false;
    await sleep(pauseMs);
  }
}

/** The number of requests that have no complete answer, including those that the program around the gateway has made. */
function countOpen({ inFlight }: Drained, services: Iterable<Service>): number {
  let sum = inFlight;
  for (const { open } of services) sum += open.count;
  return sum;
}
