/** The plans that a worker keeps ready, with what is rebuilt from them once a thread. */
import { LRUCache } from 'lru-cache';
import {
  type ByteWriter,
  type Catalog,
  type Cipher,
  type CompiledQuery,
  type CompileLimits,
  compileQuery,
  createPlainReader,
  createRowsWriter,
  type ReadPlainData,
  type RowsForm,
  type Sentence,
} from '../engine/index.js';
import { decodeText } from './execution/decode-text.js';

/** A plan and the writers of its rows. */
export class ReadyPlan {
  readonly plan: CompiledQuery;
  /** Whether a sentence asks for the time of the request. */
  readonly asksTime: boolean;
  /** Reads data that is as plain as most. */
  readonly readPlain: ReadPlainData | undefined;
  readonly #writers: Partial<Record<RowsForm, ByteWriter>> = {};
  readonly #cipher: Cipher;

  constructor(plan: CompiledQuery, cipher: Cipher) {
    this.plan = plan;
    this.#cipher = cipher;
    this.asksTime = asksTime(plan.root);
    this.readPlain = this.asksTime ? undefined : createPlainReader(plan);
  }

  writer(form: RowsForm): ByteWriter {
    return (this.#writers[form] ??= createRowsWriter(this.plan.root, form, {
      decode: decodeText,
      cipher: this.#cipher,
    }));
  }
}

function asksTime({ arguments: given, inclusions }: Sentence): boolean {
  const asks = given.some(({ kind }) => kind === 'instant');
  return asks || inclusions.some(({ sentence }) => asksTime(sentence));
}

/** What variants are compiled with. */
export interface PlanSettings {
  readonly catalog: Catalog;
  readonly limits: CompileLimits;
  readonly plansMax: number;
  readonly cipher: Cipher;
}

export class Plans {
  readonly #settings: PlanSettings;
  readonly #plans: LRUCache<number, ReadyPlan>;
  /** By the id of the plan and the names of its null parameters. */
  readonly #variants: LRUCache<string, ReadyPlan>;

  constructor(settings: PlanSettings) {
    this.#settings = settings;
    this.#plans = new LRUCache({ max: settings.plansMax });
    this.#variants = new LRUCache({ max: settings.plansMax });
  }

  get(planId: number): ReadyPlan | undefined {
    return this.#plans.get(planId);
  }

  put(planId: number, plan: CompiledQuery): ReadyPlan {
    const ready = new ReadyPlan(plan, this.#settings.cipher);
    this.#plans.set(planId, ready);
    return ready;
  }

  /**
   * The plan as it is when these null-sensitive parameters are null and, of an update that sets what
   * the data has, these properties are present.
   */
  variant(
    planId: number,
    plan: CompiledQuery,
    nulls: readonly string[],
    present?: readonly string[],
  ): ReadyPlan {
    const key = `${planId} ${nulls.join(' ')} ${present?.join(' ') ?? '*'}`;
    const known = this.#variants.get(key);
    if (known) return known;
    const { catalog, limits } = this.#settings;
    const { expression, stage, view } = plan;
    const presence = present && { presentProperties: present };
    const request = { expression, stage, view, limits, nullParameters: nulls, ...presence };
    const ready = new ReadyPlan(compileQuery(catalog, request), this.#settings.cipher);
    this.#variants.set(key, ready);
    return ready;
  }
}
