/** A timer for answers of the database that are late. */

/**
 * Calls back after this many milliseconds, but not before answers that have arrived meanwhile are read: a busy thread
 * runs its timers first. Returns a function that prevents the call.
 */
export function afterAnswers(ms: number, call: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(call);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}
