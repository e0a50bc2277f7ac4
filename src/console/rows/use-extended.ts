/** A list that is made from a growing one. */
import { useMemo } from 'preact/hooks';

/**
 * Adds to the list what follows from each item of `from`. While `from` grows, only its new items are added, because
 * making the list anew for each part of an answer would take quadratic time. Another `from`, or another `key`, begins
 * another list.
 */
export function useExtended<From, To>(
  from: readonly From[],
  add: (list: To[], item: From, index: number) => void,
  key?: unknown,
): readonly To[] {
  const made = useMemo((): { list: To[]; count: number } => ({ list: [], count: 0 }), [from, key]);
  // The last item may be taken back: it turns out to be an error.
  if (made.count > from.length) Object.assign(made, { list: [], count: 0 });
  for (const [offset, item] of from.slice(made.count).entries()) {
    add(made.list, item, made.count + offset);
  }
  made.count = from.length;
  return made.list;
}
