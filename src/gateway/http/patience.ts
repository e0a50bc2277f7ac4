/** Watches a slow reader at intervals, and reports if it has read nothing for too long. */

/** How many times it checks within the time limit. */
const LOOKS = 4;

/** The answer that is waiting for its reader. */
export interface Patient {
  readonly writeStallMs: number;
  /** Called at intervals. It calls `wait` again if the reader has read something. */
  look(): void | Promise<void>;
  cut(): void;
}

export class Patience {
  readonly #patient: Patient;
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  /** When the reader last read something; undefined while nothing waits for it. */
  #takenAt: number | undefined;

  constructor(patient: Patient, intervalMsMax = Number.POSITIVE_INFINITY) {
    this.#patient = patient;
    this.#intervalMs = Math.min(intervalMsMax, Math.ceil(patient.writeStallMs / LOOKS));
  }

  get isWaiting(): boolean {
    return this.#takenAt !== undefined;
  }

  /** Starts to check at intervals, whether or not something waits. */
  begin(): void {
    this.#timer ??= setInterval(() => void this.#look(), this.#intervalMs).unref();
  }

  /** Starts the time limit, or starts it again. */
  wait(): void {
    this.begin();
    this.#takenAt = performance.now();
  }

  /** The reader has read everything. */
  waitNoMore(): void {
    this.#takenAt = undefined;
  }

  end(): void {
    this.waitNoMore();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    const { writeStallMs } = this.#patient;
    await this.#patient.look();
    if (this.#takenAt !== undefined && performance.now() - this.#takenAt >= writeStallMs) {
      this.#patient.cut();
    }
  }
}
