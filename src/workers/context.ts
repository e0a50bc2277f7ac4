/** What a worker thread builds once and every request uses. */
import { type Catalog, createCatalog, loadSchema, type Schema } from '../engine/index.js';
import type { LaneOptions } from './lanes/lane.js';
import { Lanes } from './lanes/lanes.js';
import { Plans } from './plans.js';
import type { WorkerContext } from './protocol.js';
import { createRegistry, type SourceRegistry } from './sources/registry.js';
import { executeAlone } from './tasks/execute.js';

export interface Context {
  readonly settings: WorkerContext;
  readonly schema: Schema;
  readonly catalog: Catalog;
  readonly sources: SourceRegistry;
  readonly plans: Plans;
  /** Absent when each request runs by itself. */
  readonly lanes: Lanes | undefined;
}

/** Loads the schema; no connection is opened yet. */
export function loadContext(settings: WorkerContext): Context {
  const schema = loadSchema(settings.schemaDocument);
  const catalog = createCatalog(schema);
  const { limits, plansMax, rowsMax } = settings;
  const sources = createRegistry(schema, settings);
  const runAlone: LaneOptions['runAlone'] = (ready, member, onStart) =>
    executeAlone({ sources, settings }, ready, member, onStart);
  return {
    settings,
    schema,
    catalog,
    sources,
    plans: new Plans({ catalog, limits, plansMax }),
    lanes: settings.lanes ? new Lanes({ sources, rowsMax, runAlone }) : undefined,
  };
}
