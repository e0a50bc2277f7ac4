/** A fault of one step of a transaction: what failed is the `cause`. */
export class StepFault extends Error {
  /** Counted from 0. */
  readonly step: number;

  constructor(step: number, cause: unknown) {
    super(`step ${step} failed`, { cause });
    this.name = 'StepFault';
    this.step = step;
  }
}
