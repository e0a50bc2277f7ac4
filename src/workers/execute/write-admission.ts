/**
 * Refuses writes of a plan, before anything of them has run, if they would wait for longer than a request may wait for
 * a connection: they would only fail later.
 */
import { SourceError } from '../database/source-error.js';
import type { ReadyPlan } from '../plans.js';
import { Admission } from './admission.js';

/** So many writes of a plan may always be unanswered. */
const UNANSWERED_MIN = 64;
/**
 * While so many are unanswered, their rate is measured; below, it is forgotten. It is less than the above, because
 * otherwise nothing would be measured while all others are refused.
 */
const MEASURED_MIN = UNANSWERED_MIN / 2;
/** The part of the allowed wait that a write may be expected to wait, because the rate changes meanwhile. */
const PART = 0.5;

/** The writes of one plan. */
interface PlanWrites {
  admission: Admission;
  unanswered: number;
}

export class WriteAdmission {
  readonly #waitMs: number;
  readonly #plans = new WeakMap<ReadyPlan, PlanWrites>();

  /** `connectionWaitMs`: how long a request may wait for a connection. */
  constructor(connectionWaitMs: number) {
    this.#waitMs = PART * connectionWaitMs;
  }

  /**
   * Runs a write; rejects with `queue-full`, and does not run it, if it would wait too long. `isWaitedFor`: whether
   * writes are waiting for a connection. If not, those that are unanswered only take long.
   */
  run(plan: ReadyPlan, isWaitedFor: () => boolean, write: () => Promise<void>): Promise<void> {
    const writes = this.#writesOf(plan);
    const { unanswered, admission } = writes;
    if (unanswered === MEASURED_MIN) admission.begin(performance.now());
    if (unanswered >= UNANSWERED_MIN && !admission.admits(unanswered) && isWaitedFor()) {
      return Promise.reject(QUEUE_FULL);
    }
    writes.unanswered += 1;
    return write().then(
      () => this.#ended(writes, true),
      (error: unknown) => {
        this.#ended(writes, hasRun(error));
        throw error;
      },
    );
  }

  #ended(writes: PlanWrites, isMeasured: boolean): void {
    writes.unanswered -= 1;
    if (writes.unanswered === MEASURED_MIN - 1) writes.admission = new Admission(this.#waitMs);
    else if (isMeasured && writes.unanswered >= MEASURED_MIN) {
      writes.admission.answered(1, 0, performance.now());
    }
  }

  #writesOf(plan: ReadyPlan): PlanWrites {
    const known = this.#plans.get(plan);
    if (known) return known;
    const made = { admission: new Admission(this.#waitMs), unanswered: 0 };
    this.#plans.set(plan, made);
    return made;
  }
}

/** One for all refusals, because the stack of an error costs more than the rest of a refusal. */
const QUEUE_FULL = new SourceError('queue-full');

/** Whether a write with this error, if any, took the time of the database. */
function hasRun(error: unknown): boolean {
  if (!(error instanceof SourceError)) return true;
  return error.code !== 'queue-timeout' && error.code !== 'cancelled';
}
