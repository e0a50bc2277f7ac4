/** A request as a lane holds it: what it was asked with, and whether its client is still there. */
import type { OutputBytes, ParameterValues, RowsForm } from '../../engine/index.js';
import type { CancellationLever } from '../cancellation.js';
import type { ReadyPlan } from '../plans.js';

export class Member implements CancellationLever {
  readonly id: number;
  readonly values: ParameterValues;
  readonly form: RowsForm;
  /** By `performance.now()`. */
  readonly joinedAt: number;
  #isCancelled = false;
  #onCancel: (() => void) | undefined;

  constructor(id: number, values: ParameterValues, form: RowsForm, joinedAt: number) {
    this.id = id;
    this.values = values;
    this.form = form;
    this.joinedAt = joinedAt;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** One at a time: whoever waits or runs for it. */
  onCancel(action: () => void): () => void {
    if (this.#isCancelled) action();
    else this.#onCancel = action;
    return this.#forget;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#onCancel?.();
    this.#onCancel = undefined;
  }

  readonly #forget = (): void => {
    this.#onCancel = undefined;
  };
}

/** Calls `action` once every member was cancelled; the answer takes it off again. */
export function onAllCancelled(members: readonly Member[], action: () => void): () => void {
  const look = (): void => {
    if (members.every(({ isCancelled }) => isCancelled)) action();
  };
  const forgets = members.map((member) => member.onCancel(look));
  return () => {
    for (const forget of forgets) forget();
  };
}

/** Answers one behind the other; that of `members[i]` ends at `ends[i]`. */
export interface Answers {
  readonly members: readonly Member[];
  readonly ends: readonly number[];
  readonly bytes: OutputBytes;
}

/** Where the requests of lanes come from, and where their answers go. */
export interface LaneHost {
  /** Lets `write` put the whole answer of a member behind those before it. */
  answer(member: Member, write: (out: OutputBytes) => void): void;
  /** Sends answers that are whole; that of `members[i]` ends at `ends[i]` of `bytes`. */
  answerAll(answers: Answers): void;
  /** Sends the answers of a batch; `isBrief`: its requests take little time. */
  send(isBrief: boolean): void;
  /** A member that gets no rows: its client went away, or there is no database for it. */
  failed(member: Member, error: unknown): void;
  /**
   * Runs a member by itself, telling when its statement begins, and answers it, if it has no answer
   * yet. Resolves to whether its answer was small; never rejects.
   */
  runAlone(member: Member, ready: ReadyPlan, onStart: () => void): Promise<boolean>;
}
