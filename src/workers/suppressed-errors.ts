/** Errors that came up beside the one that is answered: they are logged with it, and never answered. */

const suppressed = new WeakMap<object, unknown[]>();

/** Adds `other`, which occurred while `error` was handled. */
export function addSuppressed(error: unknown, other: unknown): void {
  if (typeof error !== 'object' || error === null) return;
  suppressed.set(error, [...(suppressed.get(error) ?? []), other]);
}

/** What was added beside an error. */
export function suppressedErrors(error: unknown): readonly unknown[] {
  return typeof error === 'object' && error !== null ? (suppressed.get(error) ?? []) : [];
}
