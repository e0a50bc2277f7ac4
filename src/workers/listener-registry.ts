/**
 * The listeners of a schema as a worker keeps them: compiled once, past all views, so that no view of
 * a request hides what they write.
 */
import {
  type Catalog,
  type Cipher,
  type CompiledListener,
  compileListeners,
  compileQuery,
  compileStep,
  createCatalog,
} from '../engine/index.js';
import { createPlanStore, Plans, type PlanSettings, type PlanStore, ReadyPlan } from './plans.js';

/** The plan of a query of a listener. */
export interface StepPlan {
  readonly planId: number;
  readonly ready: ReadyPlan;
}

export interface ListenerRegistry {
  readonly listeners: readonly CompiledListener[];
  readonly catalog: Catalog;
  readonly plans: Plans;
  /** The plan of a step's query in a stage. Throws an EngineError where the stage has no place for it. */
  stepPlan(text: string, stage: string): StepPlan;
  /** Plans of what `orm.execute` executes, with the views of the schema. */
  readonly executed: ExecutedPlans;
}

/** What `orm.execute` asks for, compiled; a stage that forces a view has it. */
export class ExecutedPlans {
  readonly catalog: Catalog;
  readonly plans: Plans;
  readonly #settings: PlanSettings;
  readonly #known: PlanStore<string, StepPlan>;
  #lastId = 0;

  constructor(settings: PlanSettings) {
    this.#settings = settings;
    this.catalog = settings.catalog;
    this.plans = new Plans(settings);
    this.#known = createPlanStore(settings, ({ ready }) => ready);
  }

  /** The plan of a query. Throws an EngineError where it cannot be compiled. */
  planOf(text: string, stage: string, view: string): StepPlan {
    const { catalog, limits, cipher } = this.#settings;
    const shown = catalog.stage(stage)?.view ?? view;
    const key = `${stage}\n${shown}\n${text}`;
    const found = this.#known.get(key);
    if (found) return found;
    const plan = compileQuery(catalog, { expression: text, stage, view: shown, limits });
    this.#lastId += 1;
    const own = { planId: this.#lastId, ready: new ReadyPlan(plan, cipher) };
    this.#known.set(key, own);
    return own;
  }
}

/** Compiles the listeners; their queries are compiled when they are first heard. */
export function createListenerRegistry(settings: PlanSettings): ListenerRegistry {
  const views = [{ name: 'whole', entities: [] }];
  const catalog = createCatalog({ ...settings.catalog.unrestricted.schema, views });
  return {
    listeners: compileListeners(catalog),
    catalog,
    plans: new Plans({ ...settings, catalog }),
    stepPlan: rememberPlans(catalog, settings.cipher),
    executed: new ExecutedPlans(settings),
  };
}

/** Bounded by the queries of the listeners and the stages of the schema. */
function rememberPlans(catalog: Catalog, cipher: Cipher): ListenerRegistry['stepPlan'] {
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
