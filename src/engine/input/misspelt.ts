/** Finds the member of the data that was perhaps meant for a missing name. */
import { nearest } from '../language/did-you-mean.js';
import type { DataObject } from '../values/data-value.js';

// Data may have a million members, and each comparison takes microseconds.
const comparedMembersMax = 100;

/** A member with a similar name that is not among the used ones. */
export function misspelt(
  name: string,
  data: DataObject,
  used: ReadonlySet<string>,
): string | undefined {
  const keys = Object.keys(data);
  if (keys.length > comparedMembersMax) return undefined;
  const unused = keys.filter((key) => !used.has(key));
  return nearest(name, unused)[0];
}
