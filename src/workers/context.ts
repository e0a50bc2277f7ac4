/** What a worker thread creates once and all requests use. */
import {
  type Catalog,
  type Cipher,
  type CompiledListener,
  compileListeners,
  compileStep,
  createCatalog,
  type Schema,
  wholeCatalog,
} from '../engine/index.js';
import { createCipher } from './cipher/cipher.js';
import { Plans, type PlanSettings } from './plans.js';
import type { TransactionLimits, WorkerContext } from './protocol.js';
import { type DriverOf, loadDrivers } from './database/drivers.js';
import { createRegistry, type SourceRegistry } from './database/registry.js';

export interface Context {
  readonly settings: WorkerContext;
  readonly schema: Schema;
  readonly catalog: Catalog;
  readonly sources: SourceRegistry;
  readonly plans: Plans;
  /** Encrypts and decrypts for the schema's expressions. */
  readonly cipher: Cipher;
  readonly listenerRegistry: ListenerRegistry;
}

/** Creates the context, after loading the drivers that its sources need. Connections are opened later. */
export async function openContext(settings: WorkerContext): Promise<Context> {
  return createContext(settings, await loadDrivers(settings.schema.sources));
}

export function createContext(settings: WorkerContext, driverOf: DriverOf): Context {
  const { schema } = settings;
  const catalog = createCatalog(schema);
  const { limits, plansMax, planBytesMax, strictData } = settings;
  const sources = createRegistry(schema, settings, driverOf);
  const cipher = createCipher();
  const planSettings = { catalog, limits, plansMax, planBytesMax, strictData, cipher };
  return {
    settings,
    schema,
    catalog,
    sources,
    plans: new Plans(planSettings),
    cipher,
    listenerRegistry: createListenerRegistry(planSettings),
  };
}

/** The context with these limits beside its own. */
export function withLimits(context: Context, limits: TransactionLimits | undefined): Context {
  if (!limits) return context;
  const { settings } = context;
  const rowsMax = least(settings.rowsMax, limits.rows);
  const transactionTimeoutMs = least(settings.transactionTimeoutMs, limits.timeMs);
  return { ...context, settings: { ...settings, rowsMax, transactionTimeoutMs } };
}

/** The smaller limit; 0: no limit. */
function least(own: number, other = 0): number {
  return own === 0 || other === 0 ? own + other : Math.min(own, other);
}

interface ListenerRegistry {
  readonly listeners: readonly CompiledListener[];
  /** The plans of their own queries. Those that `orm.execute` executes are among the plans of requests. */
  readonly own: Plans;
}

/**
 * Compiles the listeners without a view, so no view of a request hides what they write. Their queries are compiled when they are first needed, and so is the store of their
 * plans created, which takes the memory for all its entries at once.
 */
function createListenerRegistry(settings: PlanSettings): ListenerRegistry {
  const catalog = wholeCatalog(settings.catalog.unrestricted.schema);
  let own: Plans | undefined;
  return {
    listeners: compileListeners(catalog),
    get own() {
      own ??= new Plans({ ...settings, catalog }, (text, stage) =>
        compileStep(catalog, text, stage),
      );
      return own;
    },
  };
}
