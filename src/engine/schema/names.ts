/** Lists of property names: keys, and the ends of relations. */

/** Whether the names are the same, in the same order. */
export function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, index) => name === others[index]);
}

/** Whether they are the names of that key, in any order. */
export function isKey(key: readonly string[], names: readonly string[]): boolean {
  return key.length > 0 && key.length === names.length && key.every((name) => names.includes(name));
}

/** The end of a relation as files and descriptions write it: a single name is not in a list. */
export function nameOrNames(names: readonly string[]): string | readonly string[] {
  const [only = ''] = names;
  return names.length === 1 ? only : names;
}
