/** Waits for a slow reader, looks at it now and then, and tells when it has taken nothing for too long. */

/** How often it is looked at within the time after which a reader is cut. */
const LOOKS = 4;

/** The answer that waits. */
export interface Patient {
  readonly writeStallMs: number;
  /** Called at intervals: whoever finds that the reader has taken something calls `wait` anew. */
  look(): void | Promise<void>;
  cut(): void;
}

export class Patience {
  readonly #patient: Patient;
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  /** When the reader was last seen to take something; undefined: nothing waits for it. */
  #takenAt: number | undefined;

  constructor(patient: Patient, intervalMsMax = Number.POSITIVE_INFINITY) {
    this.#patient = patient;
    this.#intervalMs = Math.min(intervalMsMax, Math.ceil(patient.writeStallMs / LOOKS));
  }

  get isWaiting(): boolean {
    return this.#takenAt !== undefined;
  }

  /** Looks at intervals from now on, whether or not something waits. */
  begin(): void {
    this.#timer ??= setInterval(() => void this.#look(), this.#intervalMs).unref();
  }

  /** Begins the wait, or begins it anew. */
  wait(): void {
    this.begin();
    this.#takenAt = performance.now();
  }

  /** The reader has taken all that there was. */
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
