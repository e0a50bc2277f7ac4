/** What else went wrong beside an error: it is logged with it, and never answered. */

const notes = new WeakMap<object, unknown[]>();

/** Notes that `other` failed while `error` was dealt with. */
export function noteFailure(error: unknown, other: unknown): void {
  if (typeof error !== 'object' || error === null) return;
  notes.set(error, [...(notes.get(error) ?? []), other]);
}

/** What was noted beside an error. */
export function notedFailures(error: unknown): readonly unknown[] {
  return typeof error === 'object' && error !== null ? (notes.get(error) ?? []) : [];
}
