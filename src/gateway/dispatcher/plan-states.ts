/** What the dispatcher knows of plans: where each ran last, and whether its requests are refused for a moment. */
import type { Problem } from '../../engine/index.js';
import type { Affinity } from './choose-link.js';

/**
 * For how long the requests of a plan are refused after a worker refused one, which costs half as much as asking it
 * again: at most this time, and this part of the wait that is allowed, so that the worker never runs out of requests.
 */
const REFUSED_MS_MAX = 20;
const REFUSED_PART = 0.2;

export interface PlanState extends Affinity {
  /** The last refusal by a worker, which holds until this time by `performance.now()`. */
  refusal?: { readonly problem: Problem; readonly until: number } | undefined;
}

/** By the id of the plan. */
export class PlanStates extends Map<number, PlanState> {
  readonly #refusedMs: number;

  /** `expectedWaitMs`: the wait that is always allowed, in milliseconds. */
  constructor(expectedWaitMs: number) {
    super();
    this.#refusedMs = Math.min(REFUSED_MS_MAX, REFUSED_PART * expectedWaitMs);
  }

  /** Must be called when a worker has refused a request of the plan. */
  refused(planId: number, problem: Problem): void {
    const plan = this.get(planId);
    if (plan) plan.refusal = { problem, until: performance.now() + this.#refusedMs };
  }
}

/** Why a request of the plan is refused; undefined if a worker must be asked. */
export function refusalOf(plan: PlanState | undefined): Problem | undefined {
  if (plan?.refusal === undefined) return undefined;
  if (performance.now() < plan.refusal.until) return plan.refusal.problem;
  plan.refusal = undefined;
  return undefined;
}
