/** Adds an item to the group with this key; returns whether the group is new. */
export function addToGroup<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): boolean {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
  return group === undefined;
}
