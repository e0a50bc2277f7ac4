/**
 * Refuses requests that wait for a connection of their own, before anything of them has run, if they would wait for
 * longer than is allowed: they would only fail later.
 */
import { SourceError } from '../database/source-error.js';
import { Admission } from './admission.js';

/** So many requests of a kind may always be unanswered. */
const UNANSWERED_MIN = 64;
/**
 * While so many are unanswered, their rate is measured; below, it is forgotten. It is less than the above, because
 * otherwise nothing would be measured while all others are refused.
 */
const MEASURED_MIN = UNANSWERED_MIN / 2;
/** The part of the allowed wait that a request may be expected to wait, because the rate changes meanwhile. */
const PART = 0.5;

interface Requests {
  admission: Admission;
  unanswered: number;
}

export class WaitAdmission {
  readonly #waitMs: number;
  readonly #kinds = new WeakMap<object, Requests>();

  /** `connectionWaitMs`: how long a request may wait for a connection. */
  constructor(connectionWaitMs: number) {
    this.#waitMs = PART * connectionWaitMs;
  }

  /**
   * Runs a request; rejects with `queue-full`, and does not run it, if it would wait too long. Requests of the same
   * `kind` take about the same time: those of a plan. `isWaitedFor`: whether requests are waiting for a connection. If
   * not, those that are unanswered only take long.
   */
  run(kind: object, isWaitedFor: () => boolean, request: () => Promise<void>): Promise<void> {
    const requests = this.#requestsOf(kind);
    const { unanswered, admission } = requests;
    if (unanswered === MEASURED_MIN) admission.begin(performance.now());
    if (unanswered >= UNANSWERED_MIN && !admission.admits(unanswered) && isWaitedFor()) {
      return Promise.reject(QUEUE_FULL);
    }
    requests.unanswered += 1;
    return request().then(
      () => this.#ended(requests, true),
      (error: unknown) => {
        this.#ended(requests, hasRun(error));
        throw error;
      },
    );
  }

  #ended(requests: Requests, isMeasured: boolean): void {
    requests.unanswered -= 1;
    if (requests.unanswered === MEASURED_MIN - 1) requests.admission = new Admission(this.#waitMs);
    else if (isMeasured && requests.unanswered >= MEASURED_MIN) {
      requests.admission.answered(1, 0, performance.now());
    }
  }

  #requestsOf(kind: object): Requests {
    const known = this.#kinds.get(kind);
    if (known) return known;
    const made = { admission: new Admission(this.#waitMs), unanswered: 0 };
    this.#kinds.set(kind, made);
    return made;
  }
}

/** One for all refusals, because the stack of an error costs more than the rest of a refusal. */
const QUEUE_FULL = new SourceError('queue-full');

/** Whether a request with this error, if any, took the time of the database. */
function hasRun(error: unknown): boolean {
  if (!(error instanceof SourceError)) return true;
  return error.code !== 'queue-timeout' && error.code !== 'cancelled';
}
