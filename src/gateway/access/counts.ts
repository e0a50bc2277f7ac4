/** How many requests each sender has sent, how many of them were refused, and the rows of the others. */

export interface Counts {
  requests: number;
  /** Answered 403 or 429. */
  refused: number;
  /** Those of answers, without included ones, and those that were written. */
  rows: number;
}

/** The counts of each sender by its name; `anonymous`: without a valid key or token. */
export interface CountsBySender {
  of(name: string): Counts;
  readonly all: ReadonlyMap<string, Counts>;
}

export const ANONYMOUS = 'anonymous';

/** Subjects of tokens may be any number; those beyond are counted together. */
const SENDERS_MAX = 1000;
const OTHERS = 'others';

export function createCounts(): CountsBySender {
  const all = new Map<string, Counts>();
  const add = (name: string): Counts => {
    const counts = { requests: 0, refused: 0, rows: 0 };
    all.set(name, counts);
    return counts;
  };
  return {
    all,
    of: (name) => {
      const own = all.get(name);
      if (own) return own;
      return all.size < SENDERS_MAX ? add(name) : (all.get(OTHERS) ?? add(OTHERS));
    },
  };
}
