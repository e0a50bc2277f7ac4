/**
 * All that serves one schema: its catalog, its plan cache, its workers. A reload makes a new one
 * beside the old; a request keeps the one that it began with.
 */
import { type Catalog, type CompileLimits, createCatalog, loadSchema } from '../engine/index.js';
import type { WorkerContext } from '../workers/protocol.js';
import type { Configuration } from './config.js';
import { Dispatcher } from './dispatcher/dispatcher.js';
import type { Observer } from './observe.js';
import { BodyTemplateCache } from './body-template-cache.js';
import { PlanCache } from './plan-cache.js';

export interface Service {
  readonly configuration: Configuration;
  readonly observer: Observer;
  /** The version of the program, for `/version`. */
  readonly version: string;
  readonly catalog: Catalog;
  readonly plans: PlanCache;
  readonly bodies: BodyTemplateCache;
  readonly dispatcher: Dispatcher;
  /** Whether the gateway is stopping. */
  readonly isDraining: () => boolean;
}

/** What a gateway is made of. */
export interface GatewayOptions {
  readonly configuration: Configuration;
  /** The schema file as plain data, its variables replaced. */
  readonly schemaDocument: unknown;
  /** The module of the worker: its default export takes an AttachTask. */
  readonly workerUrl: URL;
  readonly observer: Observer;
  /** The version of the program, for `/version`. */
  readonly version: string;
}

/** Starts the workers. Throws an EngineError ('schema-invalid') when the schema does not load. */
export function createService(
  { configuration, observer, version, workerUrl, schemaDocument }: GatewayOptions,
  isDraining: () => boolean,
): Service {
  const catalog = createCatalog(loadSchema(schemaDocument));
  const dispatcher = new Dispatcher({
    workerUrl,
    workers: configuration.workers,
    context: workerContext(configuration, schemaDocument),
    observe: observer.observe,
    queueMax: configuration.queueMax,
    importWindowBytes: configuration.streamWindowBytes,
  });
  const plans = new PlanCache({
    entriesMax: configuration.planCacheEntries,
    bytesMax: configuration.planCacheBytes,
    waitersMax: configuration.queueMax,
    compile: ({ expression, stage, view }, sink) =>
      dispatcher.ask({ type: 'compile', expression, stage, view }, sink),
    onEvicted: (planId) => dispatcher.forgetPlan(planId),
  });
  const bodies = new BodyTemplateCache();
  return { configuration, observer, version, catalog, plans, bodies, dispatcher, isDraining };
}

/** What workers are started with. */
export function workerContext(
  configuration: Configuration,
  schemaDocument: unknown,
): WorkerContext {
  const { connections, workers } = configuration;
  return {
    schemaDocument,
    connectionsPerSource: Math.max(1, Math.floor(connections / workers)),
    preparedStatements: configuration.preparedStatements,
    batching: configuration.batching,
    statementTimeoutMs: configuration.statementTimeoutMs,
    connectionWaitMs: configuration.queueWaitMs,
    connectTimeoutMs: configuration.connectTimeoutMs,
    rowsMax: configuration.rowsMax,
    plansMax: configuration.planCacheEntries,
    planBytesMax: configuration.planCacheBytes,
    streamWindowBytes: configuration.streamWindowBytes,
    transactionRetries: configuration.transactionRetries,
    transactionTimeoutMs: configuration.transactionTimeoutMs,
    transactionAnswerBytesMax: configuration.transactionAnswerBytesMax,
    idempotencyMs: configuration.idempotencyMs,
    limits: compileLimits(configuration),
  };
}

function compileLimits(configuration: Configuration): CompileLimits {
  const { expressionLengthMax, nestingMax, includeDepthMax } = configuration;
  return { expressionLengthMax, nestingMax, includeDepthMax };
}
