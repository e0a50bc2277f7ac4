/**
 * What the dispatcher knows of plans: where each ran last, whether it is short, and whether its requests
 * are refused for a moment.
 */
import type { Problem } from '../../engine/index.js';
import type { WorkerReply } from '../../workers/protocol.js';
import { type Affinity, NEW_PLAN } from './choose-link.js';
import type { WorkerLink } from './worker-link.js';

/**
 * For how long the requests of a plan are refused after a worker refused one, which costs half as much as asking it
 * again: at most this time, and this part of the wait that is allowed, so that the worker never runs out of requests.
 */
const REFUSED_MS_MAX = 20;
const REFUSED_PART = 0.2;

type Estimate = Extract<WorkerReply, { readonly type: 'estimate' }>;

/** The least time between two messages that a plan is short, in milliseconds. */
const SHORT_MESSAGE_MS = 200;

export interface PlanState extends Affinity {
  /** The workers that have measured it as short. One is enough: where many requests compete, short ones seem long. */
  readonly shortOn: Set<WorkerLink>;
  /** From this time by `performance.now()`, another worker may get the message that the plan is short. */
  shortMessageFrom: number;
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

  /**
   * Must be called when a request was sent to a worker. If it did not run the plan last, it gets a message if the plan
   * is short. The last parameter is the affinity with which a new plan was sent.
   */
  sent(planId: number, link: WorkerLink, { isShort }: Readonly<Affinity> = NEW_PLAN): void {
    const plan = this.get(planId);
    if (plan === undefined) {
      this.set(planId, { link, isShort, shortMessageFrom: 0, shortOn: new Set() });
      return;
    }
    if (plan.link === link) return;
    plan.link = link;
    const now = performance.now();
    if (plan.shortOn.size === 0 || now < plan.shortMessageFrom) return;
    plan.shortMessageFrom = now + SHORT_MESSAGE_MS;
    link.post({ type: 'short', planId });
  }

  /** Must be called when a worker has measured whether a plan is short, which the others learn. */
  estimated({ planId, isShort }: Estimate, from: WorkerLink, links: readonly WorkerLink[]): void {
    const plan = this.get(planId);
    if (plan === undefined) return;
    if (isShort) plan.shortOn.add(from);
    else plan.shortOn.delete(from);
    plan.isShort = plan.shortOn.size > 0;
    for (const link of isShort ? links : []) {
      if (link !== from && link.knownPlans.has(planId)) link.post({ type: 'short', planId });
    }
  }

  /** Must be called when a worker has ended: what it measured no longer counts, and its memory must not be kept. */
  lost(link: WorkerLink): void {
    for (const plan of this.values()) {
      if (plan.link === link) plan.link = undefined;
      if (plan.shortOn.delete(link)) plan.isShort = plan.shortOn.size > 0;
    }
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
