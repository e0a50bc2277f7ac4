/**
 * Pseudo-random numbers that are the same on every machine: a 32-bit Weyl sequence, mixed by the
 * finalizer of MurmurHash3. It uses integers only, so that rounding does not matter.
 */

/** A stream of pseudo-random numbers. */
export interface Random {
  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number;
  /** An integer from `least` to `most`. */
  between(least: number, most: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Replaces each `#` of `pattern` by a digit, and each `~` by a digit that is not 0. */
  digits(pattern: string): string;
}

const GOLDEN = 0x9e3779b9;

/** The stream for a topic and an id. It is independent of all other streams. */
export function randomOf(topic: number, id: number): Random {
  let state = stir(stir(topic + GOLDEN) ^ Math.imul(id, 0x85ebca6b) ^ Math.floor(id / 2 ** 32));
  const below = (limit: number) => {
    state = (state + GOLDEN) >>> 0;
    return stir(state) % limit;
  };
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (percent) => below(100) < percent,
    pick: (items) => cyclic(items, below(items.length)),
    digits: (pattern) => {
      let text = '';
      for (const mark of pattern) {
        text += mark === '#' ? below(10) : mark === '~' ? 1 + below(9) : mark;
      }
      return text;
    },
  };
}

/** The item at an index; after the last item, the list begins again. */
export function cyclic<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('There is no item in an empty list.');
  return item;
}

function stir(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
