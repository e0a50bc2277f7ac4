/**
 * The error that the evaluator throws if the language does not define the answer. Such a query is not
 * judged.
 */

export class Unsure extends Error {}

/** Gives up the query, with a reason. */
export function unsure(why: string): never {
  throw new Unsure(why);
}
