/** Unknown names in a schema, and the known name that was probably meant. */
import { didYouMean } from '../language/did-you-mean.js';
import { type DocumentNode, report } from './document.js';

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

interface NameUse {
  readonly what: string;
  readonly name: string;
  readonly known: ReadonlySet<string> | ReadonlyMap<string, unknown>;
  /** The entity that owns the property. */
  readonly owner?: string;
  /** What to do if no known name is similar. */
  readonly otherwise?: string;
}

/** Reports a name that is not known. */
export function checkName(node: DocumentNode, use: NameUse): void {
  const { what, name, known, owner, otherwise } = use;
  if (known.has(name)) return;
  const where = owner === undefined ? '' : ` in '${owner}'`;
  const hint = hintAt(node, name, known.keys()) ?? otherwise;
  report(node, `There is no ${what} '${name}'${where}.`, hint);
}
