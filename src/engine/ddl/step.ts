/** What a change of a database's tables consists of. */

/** One statement, and what it does in a few words. */
export interface DdlStep {
  readonly description: string;
  readonly sql: string;
}

/** The statements in the order in which they work, and what is left undone and why. */
export interface DdlPlan {
  readonly steps: readonly DdlStep[];
  readonly remarks: readonly string[];
}
