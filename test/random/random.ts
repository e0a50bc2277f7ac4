/** Random choices that are the same in every run with the same seed. */
import { createHash } from 'node:crypto';

export interface Random {
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of the items, with the given weights. Items of weight 0 are never chosen. */
  weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item;
  /** The items in random order. */
  shuffled<Item>(items: readonly Item[]): Item[];
  /** At most `count` of the items, in random order. */
  some<Item>(items: readonly Item[], count: number): Item[];
}

/**
 * Random choices from a seed of any text, by the generator sfc32, whose state is a hash of the seed.
 */
export function createRandom(seed: string): Random {
  const next = generator(seed);
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  };
  const shuffled = <Item>(items: readonly Item[]): Item[] => {
    const rest = [...items];
    return items.flatMap(() => rest.splice(below(rest.length), 1));
  };
  return {
    below,
    pick,
    shuffled,
    chance: (probability) => next() < probability * 2 ** 32,
    weighted(items) {
      const total = items.reduce((sum, [weight]) => sum + weight, 0);
      let left = (next() / 2 ** 32) * total;
      const found = items.find(([weight]) => (left -= weight) < 0);
      if (!found) throw new Error('There is nothing to choose from.');
      return found[1];
    },
    some: (items, count) => shuffled(items).slice(0, count),
  };
}

/** Numbers from 0 to below 2³² (C. Doty-Humphrey, PractRand: sfc32). */
function generator(seed: string): () => number {
  const hash = createHash('sha256').update(seed).digest();
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => hash.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
}
