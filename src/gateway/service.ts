/**
 * Everything that serves one schema: its catalog, plan cache and workers. A reload creates a new
 * service next to the old one; each request stays with the service with which it began.
 */
import { type Catalog, createCatalog, type Schema } from '../engine/index.js';
import type { WorkerContext } from '../workers/protocol.js';
import type { BodyRoom } from './body-room.js';
import type { AddressOf } from './client-address.js';
import type { Configuration } from './config.js';
import type { ConsoleFiles } from './console-files.js';
import { Dispatcher } from './dispatcher/dispatcher.js';
import type { Dispatchers } from './dispatcher/dispatchers.js';
import type { Failure } from './dispatcher/sinks.js';
import type { Observer } from './observe.js';
import { readAllowedQueries } from './access/allowed-queries.js';
import type { Counts } from './access/counts.js';
import { type BodiesFor, createBodies } from './access/scoped-bodies.js';
import { LargeRequests } from './large-requests.js';
import { PlanCache } from './plan-cache.js';
import { SharedPlans } from './shared-plans.js';
import { PlanRecorder } from './statistics/plan-recorder.js';
import type { PlanStatistics } from './statistics/plan-statistics.js';
import { type SourceWatch, watchSources } from './statistics/source-watch.js';
import type { Traffic } from './statistics/traffic.js';
import type { StreamMemory } from './stream-memory.js';
import type { Tracer } from './tracing/tracer.js';

/** What the services before and after a reload have in common. */
export interface SharedByServices {
  /** Limits the memory of large bodies. */
  readonly room: BodyRoom;
  /** The memory for parts of answers that slow readers have not taken. */
  readonly streams: StreamMemory;
  /** The requests, counted by route. */
  readonly traffic: Traffic;
  readonly statistics: PlanStatistics;
  /** Those of all services, and the counts since the start. */
  readonly dispatchers: Dispatchers;
  /** Whether the gateway is stopping. */
  readonly isDraining: () => boolean;
  /** Whether it has begun to wait for its last requests, and takes no others. */
  readonly isRefusing: () => boolean;
  readonly addressOf: AddressOf;
  /** Set if requests need keys or tokens. */
  readonly senders?: ReadonlyMap<string, Counts> | undefined;
  /** Set if the console is served. */
  readonly consoleFiles?: ConsoleFiles | undefined;
}

export interface Service
  extends SharedByServices,
    Pick<GatewayOptions, 'configuration' | 'observer' | 'version' | 'tracer'> {
  readonly catalog: Catalog;
  readonly plans: PlanCache;
  /** The plans that execute requests. */
  readonly sharedPlans: SharedPlans;
  readonly bodiesFor: BodiesFor;
  readonly dispatcher: Dispatcher;
  readonly large: LargeRequests;
  /** How many requests have no complete answer, also while their bodies arrive, and what counts one less. */
  readonly open: { count: number; readonly ended: () => void };
  readonly sources: SourceWatch;
  /** Closes the service like {@link Dispatcher.close}. Later calls wait for the first one. */
  close(deadlineMs: number): Promise<void>;
}

export interface GatewayOptions {
  readonly configuration: Configuration;
  /** The schema to serve, with a connection for every source. */
  readonly schema: Schema;
  /** The module of the worker: its default export takes an AttachTask. */
  readonly workerUrl: URL;
  readonly observer: Observer;
  /** The version of the program, for `/version`. */
  readonly version: string;
  /** Set if requests are traced. */
  readonly tracer?: Tracer | undefined;
  /** The folder of the built console; without it, none can be served. */
  readonly consoleUrl?: URL;
}

/** Creates the service and starts its workers. */
export function createService(
  { configuration, observer, version, workerUrl, schema, tracer }: GatewayOptions,
  shared: SharedByServices,
): Service {
  const { queriesFile } = configuration;
  const isAllowed = queriesFile === undefined ? undefined : readAllowedQueries(queriesFile);
  const catalog = createCatalog(schema);
  const recorder = new PlanRecorder(shared.statistics, observer.observe, configuration);
  const { dispatchers } = shared;
  const dispatching = {
    recorder,
    dispatchers,
    workerUrl,
    workers: configuration.workers,
    context: {
      ...workerContext(configuration, schema),
      countsRows: shared.senders !== undefined,
    },
    observe: observer.observe,
    queueMax: configuration.queueMax,
    importWindowBytes: configuration.streamWindowBytes,
    heapMebibytesMax: configuration.workerHeapBytesMax / MIB,
    workerStallMs: configuration.workerStallMs,
    requestMsMax: requestMsMax(configuration),
  };
  const dispatcher = new Dispatcher(dispatching);
  const large = new LargeRequests(dispatching, dispatcher);
  const plans = new PlanCache({
    entriesMax: configuration.planCacheEntries,
    bytesMax: configuration.planCacheBytes / 4,
    totals: dispatchers.totals.plans,
    waitersMax: configuration.queueMax,
    compile: ({ expression, stage, view, isTotal }, sink) => {
      if (isAllowed?.(expression) === false) return sink.failed(NOT_ALLOWED);
      const query = { expression, stage, view, ...(isTotal && { isTotal }) };
      dispatcher.ask({ type: 'compile', ...query }, sink);
    },
    recordOf: (key, planId) => recorder.recordOf(key, planId),
    onEvicted: (planId) => {
      recorder.forget(planId);
      dispatcher.forgetPlan(planId);
      large.forgetPlan(planId);
    },
  });
  const { sourceCheckMs, sharePlansFrom } = configuration;
  // Lists of queries and listeners are given the texts of queries.
  const isShared = !isAllowed && schema.listeners.length === 0;
  const sharedPlans = new SharedPlans(plans, isShared ? sharePlansFrom : 0);
  const sources = watchSources(dispatcher, { schema, sourceCheckMs, observe: observer.observe });
  const close = async (deadlineMs: number): Promise<void> => {
    sources.close();
    await Promise.all([dispatcher.close(deadlineMs), large.close(deadlineMs)]);
  };
  const open = { count: 0, ended: () => void (open.count -= 1) };
  let closed: Promise<void> | undefined;
  return {
    ...{ configuration, observer, version, tracer, catalog },
    ...shared,
    plans,
    sharedPlans,
    bodiesFor: createBodies(),
    dispatcher,
    large,
    open,
    sources,
    close: (deadlineMs) => (closed ??= close(deadlineMs)),
  };
}

const NOT_ALLOWED: Failure = {
  problem: {
    code: 'query-not-allowed',
    detail: 'This server executes only the queries in its list, and this query is not one of them.',
  },
};

const MIB = 1 << 20;
/** The time that a request may take beyond its limits on a busy machine. */
const MARGIN_MS = 2000;

/**
 * The time within which a request with time limits is answered; 0 if statements have no limit. It
 * includes a second run: a statement that ran in a batch and was stopped or displaced runs again
 * alone.
 */
function requestMsMax(configuration: Configuration): number {
  const { queueWaitMs, statementTimeoutMs, transactionTimeoutMs } = configuration;
  if (statementTimeoutMs === 0 || transactionTimeoutMs === 0) return 0;
  return 2 * (Math.max(statementTimeoutMs, transactionTimeoutMs) + queueWaitMs) + MARGIN_MS;
}

/** The most connections to each source: those of all workers, and that of the worker of large bodies. */
export function connectionsInAll(configuration: Configuration): number {
  return configuration.workers * connectionsOfWorker(configuration) + 1;
}

function connectionsOfWorker({ connections, workers }: Configuration): number {
  return Math.max(1, Math.floor(connections / workers));
}

/** The settings that workers start with. */
export function workerContext(configuration: Configuration, schema: Schema): WorkerContext {
  const { workers, longReads } = configuration;
  const { expressionLengthMax, nestingMax, includeDepthMax } = configuration;
  return {
    schema,
    connectionsPerSource: connectionsOfWorker(configuration),
    longReadsMax: longReads / workers,
    shortActivity: new SharedArrayBuffer(4),
    preparedStatements: configuration.preparedStatements,
    batching: configuration.batching,
    statementTimeoutMs: configuration.statementTimeoutMs,
    connectionWaitMs: configuration.queueWaitMs,
    expectedWaitMs: configuration.expectedWaitMs,
    connectTimeoutMs: configuration.connectTimeoutMs,
    rowsMax: configuration.rowsMax,
    countsRows: false,
    plansMax: configuration.planCacheEntries,
    planBytesMax: ((configuration.planCacheBytes / 4) * 3) / workers,
    streamWindowBytes: configuration.streamWindowBytes,
    transactionRetries: configuration.transactionRetries,
    transactionTimeoutMs: configuration.transactionTimeoutMs,
    transactionAnswerBytesMax: configuration.transactionAnswerBytesMax,
    idempotencyMs: configuration.idempotencyMs,
    strictData: configuration.strictData,
    slowMs: configuration.slowMs,
    limits: { expressionLengthMax, nestingMax, includeDepthMax },
  };
}
