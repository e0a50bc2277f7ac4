/** Hints of schema problems: the known name that was probably meant. */
import { didYouMean } from '../language/did-you-mean.js';
import type { DocumentNode } from './document.js';

// Looking for near names is quadratic in a file that is wrong throughout.
const hintedProblemsMax = 100;

/** A "did you mean" for an unknown name at a node, or `undefined` when nothing is near. */
export function hintAt(
  node: DocumentNode,
  name: string,
  known: Iterable<string>,
): string | undefined {
  return node.problems.length < hintedProblemsMax ? didYouMean(name, known) : undefined;
}
