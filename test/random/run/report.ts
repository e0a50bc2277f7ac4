/** What a run has done so far, and what it has found. */

/** One fault, made small enough to be pasted. */
export interface Failure {
  /** What faults of one kind have in common. */
  readonly kind: string;
  readonly text: string;
}

export interface Report {
  readonly counts: Map<string, number>;
  readonly constructs: Set<string>;
  readonly failures: Failure[];
  count(what: string, by?: number): void;
  /** Notes a failure, unless one of its kind is noted already. */
  fail(failure: Failure): void;
}

export function createReport(): Report {
  const counts = new Map<string, number>();
  const failures: Failure[] = [];
  return {
    counts,
    constructs: new Set(),
    failures,
    count: (what, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by),
    fail(failure) {
      if (failures.some(({ kind }) => kind === failure.kind)) return;
      failures.push(failure);
    },
  };
}

/** The counts in one line. */
export function summaryOf({ counts, constructs }: Report): string {
  const parts = [...counts].map(([what, count]) => `${count} ${what}`);
  return [...parts, `${constructs.size} distinct constructs`].join(', ');
}
