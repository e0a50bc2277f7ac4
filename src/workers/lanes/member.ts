/** A request as a lane holds it: what it was asked with, and whether its client is still there. */
import type { ParameterValues } from '../../engine/index.js';
import type { ReadyPlan } from '../plans.js';

export class Member {
  readonly id: number;
  readonly values: ParameterValues;
  readonly pretty: boolean;
  /** By `performance.now()`. */
  readonly joinedAt: number;
  isCancelled = false;

  constructor(id: number, values: ParameterValues, pretty: boolean, joinedAt: number) {
    this.id = id;
    this.values = values;
    this.pretty = pretty;
    this.joinedAt = joinedAt;
  }
}

/** Where the requests of lanes come from, and where their answers go. */
export interface LaneHost {
  /** The whole answer of a member. */
  answer(member: Member, text: string): void;
  /** A member whose client went away before its statement began. */
  dropped(member: Member): void;
  /**
   * Runs a member by itself, telling when its statement begins, and answers it. Resolves to whether
   * its answer was small; never rejects.
   */
  runAlone(member: Member, ready: ReadyPlan, onStart: () => void): Promise<boolean>;
}
