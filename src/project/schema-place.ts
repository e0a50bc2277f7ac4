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
    const next = enter(document, resolve(document, node), step);
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

function enter(document: Document.Parsed, node: unknown, step: string | number): Step | undefined {
  if (typeof step === 'number') {
    const item = isSeq(node) ? node.items[step] : undefined;
    return item === undefined ? undefined : { node: item, offset: startOf(item) };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find((each) => keyOf(each) === step);
  if (pair) return { node: pair.value, offset: startOf(pair.key) };
  const merged = node.items.flatMap((each) => mergedNodes(document, each));
  return firstOf(merged, (each) => enter(document, each, step));
}

/** The nodes that a merge key (`<<: *common`, or a list of such) adds to its map; none for other pairs. */
function mergedNodes(document: Document.Parsed, pair: Pair): readonly unknown[] {
  // The parser reads no other key as a symbol.
  if (typeof keyOf(pair) !== 'symbol') return [];
  const added = resolve(document, pair.value);
  return isSeq(added) ? added.items.map((each) => resolve(document, each)) : [added];
}

function firstOf<Item, Result>(
  items: readonly Item[],
  find: (item: Item) => Result | undefined,
): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
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
