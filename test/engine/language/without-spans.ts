/** Removes places from syntax trees, so that trees of different texts can be compared. */

const places = new Set(['span', 'nameSpan', 'entitySpan', 'operatorSpan', 'keySpan', 'open']);

/** A copy of a tree without spans. */
export function withoutSpans(tree: object): unknown {
  return JSON.parse(
    JSON.stringify(tree, (name, value: unknown) => (places.has(name) ? undefined : value)),
  );
}
