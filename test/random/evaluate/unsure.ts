/** What the evaluator throws where the language leaves the answer open: such a query is not judged. */

export class Unsure extends Error {}

/** Gives up the query, and says why. */
export function unsure(why: string): never {
  throw new Unsure(why);
}
