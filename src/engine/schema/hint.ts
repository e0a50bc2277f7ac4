/** Hints of schema problems: the known name that was probably meant. */
import { didYouMean } from '../language/did-you-mean.js';
import type { DocumentNode } from './document.js';

// Limits the search for similar names, which would be quadratic in a file with many errors.
const hintedProblemsMax = 100;

/** A "did you mean" for an unknown name at a node, or `undefined` if no known name is similar. */
export function hintAt(
  node: DocumentNode,
  name: string,
  known: Iterable<string>,
): string | undefined {
  return node.problems.length < hintedProblemsMax ? didYouMean(name, known) : undefined;
}
