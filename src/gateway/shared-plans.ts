/**
 * Lets queries share a plan if they differ only by literals in their conditions: it is the plan of the query that has
 * parameters in place of these literals, and their values are added to the data of each request. So a client that
 * writes values into its queries needs one plan and one prepared statement, and its requests can run together.
 */
import { LRUCache } from 'lru-cache';
import {
  type CompiledQuery,
  EngineError,
  type LiftedLiteral,
  liftLiterals,
  parameterText,
} from '../engine/index.js';
import type { RequestData } from '../workers/protocol.js';
import type { Failure } from './dispatcher/sinks.js';
import { mayBeRepeated } from './errors.js';
import { type PlanCache, type PlanEntry, type PlanKey, planKeyOf } from './plan-cache.js';
import type { QueryRequest } from './query-request.js';

export interface PlannedRequest {
  readonly entry: PlanEntry;
  readonly request: QueryRequest;
}

/** Receives a plan, and the request for it: during the call or later. */
export interface PlannedSink {
  planned(entry: PlanEntry, request: QueryRequest): void;
  failed(failure: Failure): void;
}

/** A query that runs as another one. */
interface SharedUse {
  readonly template: PlanKey;
  /** The members of the data that it adds, as JSON without braces. */
  readonly members: string;
  /** Whether they come before those of the request, as in the order of the plan's parameters. */
  readonly areFirst: boolean;
}

const USES_BYTES_MAX = 16 << 20;
/** The memory of a use besides its texts. */
const USE_BYTES = 512;
const TEMPLATES_MAX = 2000;
/** Instead of the number of its queries: the template cannot be shared. */
const NEVER = -1;

export class SharedPlans {
  readonly #plans: PlanCache;
  readonly #shareFrom: number;
  /** By the key of the query. */
  readonly #uses = new LRUCache<string, SharedUse>({
    maxSize: USES_BYTES_MAX,
    sizeCalculation: ({ template, members }, key) =>
      USE_BYTES + 2 * (key.length + template.text.length + members.length),
  });
  /** By the key of the template: how many queries that differ only by literals have plans of their own. */
  readonly #counts = new LRUCache<string, number>({ max: TEMPLATES_MAX });

  /** `shareFrom`: the number of the first query that shares a plan with those that differ only by literals; 0: none does. */
  constructor(plans: PlanCache, shareFrom: number) {
    this.#plans = plans;
    this.#shareFrom = shareFrom;
  }

  /** The plan for a request, its own or a shared one, if it is known. */
  find(request: QueryRequest): PlannedRequest | undefined {
    return this.findOwn(request) ?? this.#findShared(request);
  }

  findOwn(request: QueryRequest): PlannedRequest | undefined {
    const entry = this.#plans.find(request.key);
    return entry && { entry, request };
  }

  #findShared(request: QueryRequest): PlannedRequest | undefined {
    const use = request.total ? undefined : this.#uses.get(request.key.text);
    const bound = use && boundRequest(request, use);
    const entry = use && bound && this.#plans.find(use.template);
    return entry && { entry, request: bound };
  }

  /** Finds a plan for the request, its own or a shared one, or requests its compilation. */
  obtain(request: QueryRequest, sink: PlannedSink): void {
    const { key, total } = request;
    const isSharing = this.#shareFrom > 0 && !total && isExtensible(request.data);
    const lifted = isSharing ? liftLiterals(key.expression) : undefined;
    if (lifted === undefined) return this.obtainOwn(request, sink);
    const template = planKeyOf(lifted.template, key.stage, key.view);
    const count = this.#counts.get(template.text) ?? 0;
    if (count === NEVER) return this.obtainOwn(request, sink);
    if (count + 1 < this.#shareFrom) {
      return this.obtainOwn(request, sink, () => this.#counts.set(template.text, count + 1));
    }
    const cannotShare = (): void => {
      this.#counts.set(template.text, NEVER);
      this.obtainOwn(request, sink);
    };
    this.#plans.obtain(template, {
      planned: (entry) => {
        if (!canShare(entry.plan, lifted.literals)) return cannotShare();
        if (!takes(entry.plan, lifted.literals)) return this.obtainOwn(request, sink);
        const use = useOf(template, entry.plan, lifted.literals);
        this.#uses.set(key.text, use);
        sink.planned(entry, boundRequest(request, use) ?? request);
      },
      failed: (failure) => {
        if (mayBeRepeated(failure.problem.code)) sink.failed(failure);
        else cannotShare();
      },
    });
  }

  /** Finds the request's own plan, or requests its compilation. `then` is called before the sink. */
  obtainOwn(request: QueryRequest, sink: PlannedSink, then?: () => void): void {
    this.#plans.obtain(request.key, {
      planned: (entry) => {
        then?.();
        sink.planned(entry, request);
      },
      failed: (failure) => sink.failed(failure),
    });
  }
}

/** Whether each literal has become a parameter that can have no other meaning than the literal. */
function canShare(
  { isSharable, parameters }: CompiledQuery,
  literals: readonly LiftedLiteral[],
): boolean {
  const isAlike = ({ name, kind, isList }: LiftedLiteral): boolean => {
    const parameter = parameters.find((each) => each.name === name);
    if (parameter === undefined || parameter.isOfJson || parameter.isCompared) return false;
    return TYPES[kind].some((type) => parameter.type === (isList ? `[${type}]` : type));
  };
  return isSharable === true && literals.every(isAlike);
}

const TYPES: Readonly<Record<LiftedLiteral['kind'], readonly string[]>> = {
  number: ['integer', 'decimal', 'number'],
  text: ['string', 'dateTime', 'date', 'time', 'uuid'],
};

/** Whether the parameters take the values. If not, the compilation of the query itself says why. */
function takes({ parameters }: CompiledQuery, literals: readonly LiftedLiteral[]): boolean {
  try {
    for (const { name, value } of literals) {
      const parameter = parameters.find((each) => each.name === name);
      if (parameter) parameterText(parameter, value);
    }
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

function useOf(
  template: PlanKey,
  { parameters }: CompiledQuery,
  literals: readonly LiftedLiteral[],
): SharedUse {
  const members = literals.map(({ name, json }) => `"${name}":${json}`).join(',');
  return { template, members, areFirst: parameters[0]?.name === literals[0]?.name };
}

/** Whether members can be added to the data, without a member of the same name. */
function isExtensible(data: RequestData): data is string | undefined {
  if (data === undefined) return true;
  if (typeof data !== 'string' || data.length < 2) return false;
  const isObject = data.startsWith('{') && data.endsWith('}');
  return isObject && !DOLLARS.some((dollar) => data.includes(dollar));
}

/** How the JSON of a string begins that may be the name of a literal. */
const DOLLARS = ['"$', String.raw`"\u0024`];

/** Undefined if nothing can be added to the data. */
function boundRequest(request: QueryRequest, use: SharedUse): QueryRequest | undefined {
  const { data } = request;
  if (!isExtensible(data)) return undefined;
  return { ...request, key: use.template, data: withMembers(data, use) };
}

/** The content of an empty JSON object. */
const NOTHING = /^[ \t\r\n]*$/;

/** The JSON of an object with further members. */
function withMembers(data: string | undefined, { members, areFirst }: SharedUse): string {
  const own = data === undefined ? '' : data.slice(1, -1);
  if (NOTHING.test(own)) return `{${members}}`;
  return areFirst ? `{${members},${own}}` : `{${own},${members}}`;
}
