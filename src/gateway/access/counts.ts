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

/** Subjects of tokens may be any number; those beyond are counted together. Keys are limited by their file. */
const SUBJECTS_MAX = 1000;
const SUBJECT = 'token:';
const OTHERS = 'others';

export function createCounts(): CountsBySender {
  const all = new Map<string, Counts>();
  let subjects = 0;
  const add = (name: string): Counts => {
    if (name.startsWith(SUBJECT)) subjects += 1;
    const counts = { requests: 0, refused: 0, rows: 0 };
    all.set(name, counts);
    return counts;
  };
  return {
    all,
    of: (name) => {
      const own = all.get(name);
      if (own) return own;
      const isOwn = subjects < SUBJECTS_MAX || !name.startsWith(SUBJECT);
      return isOwn ? add(name) : (all.get(OTHERS) ?? add(OTHERS));
    },
  };
}
