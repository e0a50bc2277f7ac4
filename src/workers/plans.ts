/** The plans that a worker keeps ready, with the closures that each thread builds from them. */
import { LRUCache } from 'lru-cache';
import {
  type ByteWriter,
  type Catalog,
  type Cipher,
  type CompiledQuery,
  compileQuery,
  createPlainReader,
  createRowsWriter,
  type DataValue,
  invariant,
  type ReadPlainData,
  refuseUnused,
  type RowsForm,
  type StatementPlan,
} from '../engine/index.js';
import { decodeText } from './decode-text.js';
import { PlanCount } from './plan-count.js';
import type { PlanTally, WorkerContext } from './protocol.js';

interface ReadyOptions {
  /** Identifies it in its {@link Plans}: its number at the gateway, or else a text; absent for variants. */
  readonly planId?: number | string;
  readonly strictData?: boolean;
  readonly count?: PlanCount;
  readonly variantOf?: ReadyPlan;
}

/** A plan and the writers of its rows. */
export class ReadyPlan {
  readonly plan: CompiledQuery;
  readonly planId: number | string | undefined;
  /** The cost of its requests, which is shared with its variants. */
  readonly count: PlanCount;
  /** Whether a statement uses the time of the request. */
  readonly asksTime: boolean;
  /** Reads simple data without the full parser. */
  readonly readPlain: ReadPlainData | undefined;
  /** Whether its reads may share connections; undefined until that is known. */
  sharesConnections: boolean | undefined;
  /** Whether its requests or those of a variant are short; undefined until some are measured. */
  isShort: boolean | undefined;
  /** The plan of which it is a variant, or itself. */
  readonly #asked: ReadyPlan;
  /** Those of itself and its variants whose requests are short. */
  readonly #short = new Set<ReadyPlan>();
  #isDropped = false;
  /**
   * Whether the last answer was streamed, so that the next one may hold its connection for long.
   */
  isStreamed = false;
  readonly #writers: Partial<Record<RowsForm, ByteWriter>> = {};
  readonly #cipher: Cipher;
  readonly #checksData: boolean;

  constructor(plan: CompiledQuery, cipher: Cipher, options: ReadyOptions = {}) {
    const { planId, strictData = false, variantOf } = options;
    const { count = variantOf?.count ?? new PlanCount() } = options;
    this.plan = plan;
    this.planId = planId;
    this.#asked = variantOf ?? this;
    this.count = count;
    this.#checksData = strictData && !plan.isTotal;
    this.#cipher = cipher;
    this.asksTime = asksTime(plan.root);
    this.readPlain = this.asksTime || plan.cursor ? undefined : createPlainReader(plan);
  }

  /**
   * Records whether its requests are short. Returns the plan that the gateway knows if that changes its `isShort`. One
   * variant is enough: where many requests compete, short ones seem long.
   */
  measured(isShort: boolean): ReadyPlan | undefined {
    if (this.#isDropped) return undefined;
    const asked = this.#asked;
    if (isShort) asked.#short.add(this);
    else asked.#short.delete(this);
    const known = asked.isShort;
    asked.isShort = asked.#short.size > 0;
    return asked.isShort === known ? undefined : asked;
  }

  /** Must be called when it is not kept: a dropped variant does not make the requests of its plan short. */
  dropped(): void {
    if (this.#asked === this) return;
    this.#isDropped = true;
    this.#asked.#short.delete(this);
  }

  /** Throws `parameter-unknown`, if the data of requests is checked. */
  checkData(data: DataValue | undefined): void {
    if (this.#checksData) refuseUnused(this.plan, data);
  }

  writer(form: RowsForm): ByteWriter {
    return (this.#writers[form] ??= createRowsWriter(this.plan.root, form, {
      decode: decodeText,
      cipher: this.#cipher,
    }));
  }
}

function asksTime({ arguments: given, includes }: StatementPlan): boolean {
  const asks = given.some(({ kind }) => kind === 'instant');
  return asks || includes.some(({ statement }) => asksTime(statement));
}

/** The settings with which variants are compiled. */
export interface PlanSettings
  extends Pick<WorkerContext, 'limits' | 'plansMax' | 'planBytesMax' | 'strictData'> {
  readonly catalog: Catalog;
  readonly cipher: Cipher;
}

/** About how many bytes a plan and everything built from it take, as measured. */
export function readyBytes({ bytes }: CompiledQuery): number {
  return READY_BYTES_MIN + READY_FACTOR * bytes;
}

const READY_BYTES_MIN = 2048;
const READY_FACTOR = 4;

/** Compiles a query that does not come from the gateway. */
type Compile = (text: string, stage: string, view: string) => CompiledQuery;

export class Plans {
  readonly catalog: Catalog;
  readonly #settings: PlanSettings;
  readonly #compile: Compile;
  /** By plan id; variants by plan id and what they are variants for. Limited by count and bytes. */
  readonly #ready: LRUCache<number | string, ReadyPlan>;
  /** The plans that arrived in the current message. */
  readonly #arrived = new Map<number, ReadyPlan>();
  /** The plans with something to report. */
  readonly #changed: PlanCount[] = [];

  constructor(settings: PlanSettings, compile?: Compile) {
    const { catalog, limits, plansMax, planBytesMax } = settings;
    this.catalog = catalog;
    this.#settings = settings;
    this.#compile =
      compile ??
      ((expression, stage, view) => compileQuery(catalog, { expression, stage, view, limits }));
    this.#ready = new LRUCache({
      max: plansMax,
      maxSize: planBytesMax,
      sizeCalculation: ({ plan }) => readyBytes(plan),
      dispose: (ready) => ready.dropped(),
    });
  }

  get(planId: number): ReadyPlan | undefined {
    return this.#ready.get(planId) ?? this.#arrived.get(planId);
  }

  /** The plan of a query in a stage, compiled when it is first needed. Throws an EngineError if it cannot be. */
  planOf(text: string, stage: string, view: string): ReadyPlan {
    const effectiveView = this.catalog.stage(stage)?.view ?? view;
    const planId = `${stage}\n${effectiveView}\n${text}`;
    const known = this.#ready.get(planId);
    if (known) return known;
    const plan = this.#compile(text, stage, effectiveView);
    const ready = new ReadyPlan(plan, this.#settings.cipher, { planId });
    this.#ready.set(planId, ready);
    return ready;
  }

  /**
   * Stores a plan, unless it is there: what was measured of it stays. Until `settle`, it is available even if the store
   * has no room for it.
   */
  put(planId: number, plan: CompiledQuery): void {
    const ready = this.#ready.get(planId) ?? this.#add(planId, plan);
    this.#arrived.set(planId, ready);
  }

  #add(planId: number, plan: CompiledQuery): ReadyPlan {
    const { cipher, strictData } = this.#settings;
    const count = new PlanCount(planId, this.#changed);
    const ready = new ReadyPlan(plan, cipher, { planId, strictData, count });
    this.#ready.set(planId, ready);
    return ready;
  }

  /** Call this after the requests of the message have taken their plans. */
  settle(): void {
    if (this.#arrived.size > 0) this.#arrived.clear();
  }

  /**
   * The variant of a plan for values with these marks (`ParameterValues.variant`), or the plan itself. For
   * an update that writes the properties in the data, also for these properties.
   */
  variant(asked: ReadyPlan, marks: readonly string[], present?: readonly string[]): ReadyPlan {
    if (marks.length === 0 && !present) return asked;
    invariant(asked.planId !== undefined, 'a variant has no variants');
    const key = `${asked.planId} ${marks.join(' ')} ${present?.join(' ') ?? '*'}`;
    const known = this.#ready.get(key);
    if (known) return known;
    const { catalog, limits } = this.#settings;
    const { expression, stage, view, isTotal } = asked.plan;
    const own = { ...(isTotal && { isTotal }), ...(present && { presentProperties: present }) };
    const request = { expression, stage, view, limits, variant: marks, ...own };
    const plan = withMarkOf(asked.plan, compileQuery(catalog, request));
    const ready = new ReadyPlan(plan, this.#settings.cipher, { variantOf: asked });
    this.#ready.set(key, ready);
    // It is larger than the store.
    if (!this.#ready.has(key)) ready.dropped();
    return ready;
  }

  /** The counts of the plans since the last call. */
  takeTallies(): readonly PlanTally[] {
    return this.#changed.splice(0).map((count) => count.take());
  }
}

/** A variant takes the cursors of the plan, although types of arguments can stand in the SQL of its sort keys. */
function withMarkOf(asked: CompiledQuery, variant: CompiledQuery): CompiledQuery {
  if (!asked.cursor || !variant.cursor) return variant;
  return { ...variant, cursor: { ...variant.cursor, mark: asked.cursor.mark } };
}
