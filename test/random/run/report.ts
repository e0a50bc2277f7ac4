/** What a run has done so far, and the failures that it has found. */

/** A failure, reduced so that it can be pasted. */
export interface Failure {
  /** What failures of one kind have in common. */
  readonly kind: string;
  readonly text: string;
}

export interface Report {
  readonly counts: Map<string, number>;
  readonly constructs: Set<string>;
  readonly failures: Failure[];
  count(what: string, by?: number): void;
  /** Records a failure, unless there is already one of its kind. */
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
