/** Random numbers that are the same in every run with the same seed. */

/** Numbers from 0 to below `below`, by the generator of Park and Miller. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
}
