/** Random numbers that are the same in every run. */

/** Numbers from 0 (inclusive) to `below`. */
export type Random = (below: number) => number;

/** The generator of Park and Miller. */
export function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
}
