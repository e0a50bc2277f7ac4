/** The compiled listeners of a schema: without a view, so no view of a request hides what they write. */
import {
  type Catalog,
  type Cipher,
  type CompiledQuery,
  type CompiledListener,
  compileListeners,
  compileQuery,
  compileStep,
  wholeCatalog,
} from '../engine/index.js';
import { createPlanStore, Plans, type PlanSettings, ReadyPlan } from './plans.js';

export interface ListenerRegistry {
  readonly listeners: readonly CompiledListener[];
  readonly own: ListenerPlans;
  /** Plans of the queries that `orm.execute` executes, under the views of the schema. */
  readonly executed: ListenerPlans;
}

type Compile = (text: string, stage: string, view: string) => CompiledQuery;

/** The plans of queries, each compiled when it is first needed. */
export class ListenerPlans {
  readonly catalog: Catalog;
  readonly plans: Plans;
  readonly #compile: Compile;
  readonly #cipher: Cipher;
  readonly #known: ReturnType<typeof createPlanStore<string>>;
  #lastId = 0;

  constructor(settings: PlanSettings, compile: Compile) {
    this.catalog = settings.catalog;
    this.plans = new Plans(settings);
    this.#compile = compile;
    this.#cipher = settings.cipher;
    this.#known = createPlanStore(settings);
  }

  /** The plan of a query in a stage. Throws an EngineError if it cannot be compiled. */
  planOf(text: string, stage: string, view: string): ReadyPlan {
    const effectiveView = this.catalog.stage(stage)?.view ?? view;
    const key = `${stage}\n${effectiveView}\n${text}`;
    const found = this.#known.get(key);
    if (found) return found;
    this.#lastId += 1;
    const plan = this.#compile(text, stage, effectiveView);
    const ready = new ReadyPlan(plan, this.#cipher, { planId: this.#lastId });
    this.#known.set(key, ready);
    return ready;
  }
}

/**
 * Compiles the listeners. Their queries are compiled when they are first needed, and so are the stores of their
 * plans created, which take the memory for all their entries at once.
 */
export function createListenerRegistry(settings: PlanSettings): ListenerRegistry {
  const { catalog, limits } = settings;
  const whole = wholeCatalog(catalog.unrestricted.schema);
  let own: ListenerPlans | undefined;
  let executed: ListenerPlans | undefined;
  return {
    listeners: compileListeners(whole),
    get own() {
      own ??= new ListenerPlans({ ...settings, catalog: whole }, (text, stage) =>
        compileStep(whole, text, stage),
      );
      return own;
    },
    get executed() {
      executed ??= new ListenerPlans(settings, (expression, stage, view) =>
        compileQuery(catalog, { expression, stage, view, limits }),
      );
      return executed;
    },
  };
}
