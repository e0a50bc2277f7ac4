/** The compiled listeners of a schema: without a view, so no view of a request hides what they write. */
import {
  type CompiledListener,
  compileListeners,
  compileStep,
  wholeCatalog,
} from '../engine/index.js';
import { Plans, type PlanSettings } from './plans.js';

export interface ListenerRegistry {
  readonly listeners: readonly CompiledListener[];
  /** The plans of their own queries. Those that `orm.execute` executes are among the plans of requests. */
  readonly own: Plans;
}

/**
 * Compiles the listeners. Their queries are compiled when they are first needed, and so is the store of their
 * plans created, which takes the memory for all its entries at once.
 */
export function createListenerRegistry(settings: PlanSettings): ListenerRegistry {
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
