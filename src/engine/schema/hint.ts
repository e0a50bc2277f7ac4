/** Hints of schema problems: the known name that was probably meant. */

/** "Did you mean …?" for an unknown name, or `undefined` when nothing is near. */
export function hintAt(_name: string, _known: Iterable<string>): string | undefined {
  return undefined;
}
