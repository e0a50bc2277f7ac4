/**
 * The listeners of a schema as a worker keeps them: compiled once, past all views, so that no view of
 * a request hides what they write.
 */
import {
  type Catalog,
  type Cipher,
  type CompiledListener,
  compileListeners,
  compileStep,
  createCatalog,
} from '../engine/index.js';
import { Plans, type PlanSettings, ReadyPlan } from './plans.js';

/** The plan of a query of a listener. */
export interface StepPlan {
  readonly planId: number;
  readonly ready: ReadyPlan;
}

export interface Listening {
  readonly listeners: readonly CompiledListener[];
  readonly catalog: Catalog;
  readonly plans: Plans;
  /** The plan of a step's query in a stage. Throws an EngineError where the stage has no place for it. */
  stepPlan(text: string, stage: string): StepPlan;
}

/** Compiles the listeners; their queries are compiled when they are first heard. */
export function createListening(settings: PlanSettings): Listening {
  const views = [{ name: 'whole', entities: [] }];
  const catalog = createCatalog({ ...settings.catalog.unrestricted.schema, views });
  return {
    listeners: compileListeners(catalog),
    catalog,
    plans: new Plans({ ...settings, catalog }),
    stepPlan: rememberPlans(catalog, settings.cipher),
  };
}

/** Bounded by the queries of the listeners and the stages of the schema. */
function rememberPlans(catalog: Catalog, cipher: Cipher): Listening['stepPlan'] {
  const known = new Map<string, StepPlan>();
  return (text, stage) => {
    const key = `${stage}\n${text}`;
    const found = known.get(key);
    if (found) return found;
    const ready = new ReadyPlan(compileStep(catalog, text, stage), cipher);
    const plan = { planId: known.size, ready };
    known.set(key, plan);
    return plan;
  };
}
