/** A read in the batcher: its values, and whether its client is still connected. */
import type { ParameterValues, RowsForm } from '../../engine/index.js';
import type { ReadyPlan } from '../plans.js';

/** The values of a read. */
export interface RequestParts {
  readonly id: number;
  readonly ready: ReadyPlan;
  readonly values: ParameterValues;
  readonly form: RowsForm;
  /** When it arrived, by `performance.now()`. */
  readonly joinedAt: number;
}

export class Request implements RequestParts {
  readonly id: number;
  readonly ready: ReadyPlan;
  readonly values: ParameterValues;
  readonly form: RowsForm;
  readonly joinedAt: number;
  /** When its statement began, by `performance.now()`. */
  startedAt = 0;
  rows = 0;
  /** The cursor of the next page, if there may be one. */
  next: string | undefined;
  /** Whether the gateway is to learn where its time went: it asks for that, or it takes long. */
  isTimed = false;
  #isCancelled = false;
  #onCancel: (() => void) | undefined;

  constructor({ id, ready, values, form, joinedAt }: RequestParts) {
    this.id = id;
    this.ready = ready;
    this.values = values;
    this.form = form;
    this.joinedAt = joinedAt;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Calls `action` on cancellation, or at once if it has happened. It replaces the action before it. */
  whenCancelled(action: () => void): void {
    if (this.#isCancelled) action();
    else this.#onCancel = action;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#onCancel?.();
    this.#onCancel = undefined;
  }
}
