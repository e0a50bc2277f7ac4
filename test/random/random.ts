/** Random choices that are the same in every run with the same seed. */
import { createHash } from 'node:crypto';

export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** Whether something of that probability happens. */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of the items, each as often as its weight says; those of weight 0 never. */
  weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item;
  /** The items in another order. */
  shuffled<Item>(items: readonly Item[]): Item[];
  /** So many of the items, at most all, in an order of their own. */
  some<Item>(items: readonly Item[], count: number): Item[];
}

/** Choices by a seed of any text: the generator sfc32, whose state is a hash of it. */
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
