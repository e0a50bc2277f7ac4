/**
 * Errors that occurred while another one was handled. They are logged with it, and not answered.
 */

const suppressed = new WeakMap<object, unknown[]>();

/** Attaches `other`, which occurred while `error` was handled. */
export function addSuppressed(error: unknown, other: unknown): void {
  if (typeof error !== 'object' || error === null) return;
  suppressed.set(error, [...(suppressed.get(error) ?? []), other]);
}

/** The errors that were attached to an error. */
export function suppressedErrors(error: unknown): readonly unknown[] {
  return typeof error === 'object' && error !== null ? (suppressed.get(error) ?? []) : [];
}
