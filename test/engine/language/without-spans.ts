/** Syntax trees without their places, so that trees of different texts can be compared. */

const places = new Set(['span', 'nameSpan', 'entitySpan', 'operatorSpan', 'keySpan', 'open']);

/** A copy of a tree in which no member tells a place. */
export function withoutSpans(tree: object): unknown {
  return JSON.parse(
    JSON.stringify(tree, (name, value: unknown) => (places.has(name) ? undefined : value)),
  );
}
