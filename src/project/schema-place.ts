/** Finds the place of a schema problem in the text of its file. */
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Pair } from 'yaml';

/**
 * The offset at which a place (`domain.entities[3].name`) begins: the key of a member, or an
 * element itself. If the place is not in the text, the offset of its last part that is.
 */
export function offsetOfPlace(document: Document.Parsed, place: string): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const step of stepsOf(place)) {
    const next = enter(resolve(document, node), step);
    if (!next) return offset;
    offset = next.offset ?? offset;
    node = next.node;
  }
  return offset;
}

interface Step {
  readonly node: unknown;
  readonly offset: number | undefined;
}

function enter(node: unknown, step: string | number): Step | undefined {
  if (typeof step === 'number') {
    const item = isSeq(node) ? node.items[step] : undefined;
    return item === undefined ? undefined : { node: item, offset: startOf(item) };
  }
  const pair = isMap(node) ? node.items.find((each) => keyOf(each) === step) : undefined;
  return pair && { node: pair.value, offset: startOf(pair.key) };
}

function stepsOf(place: string): readonly (string | number)[] {
  return [...place.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? (name ?? '') : Number(index),
  );
}

function resolve(document: Document.Parsed, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function keyOf(pair: Pair): unknown {
  return isScalar(pair.key) ? pair.key.value : pair.key;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
