/** Keeps a source that cannot be reached from being asked by every request. */

const FIRST_MS = 20;
const LAST_MS = 500;

/**
 * Tries what may fail. After a failure, calls fail with the same error, without another try, for a time that
 * doubles up to {@link LAST_MS}; half of it is random, so that workers and instances do not all try at once.
 */
export function withBackOff<Result>(attempt: () => Promise<Result>): () => Promise<Result> {
  let failures = 0;
  let failedAt = 0;
  let retryAt = 0;
  let lastError: unknown;
  return async () => {
    const startedAt = performance.now();
    if (startedAt < retryAt) throw lastError;
    try {
      const result = await attempt();
      failures = 0;
      return result;
    } catch (error) {
      // Attempts that were made together have failed together.
      if (startedAt >= failedAt) failures += 1;
      failedAt = performance.now();
      const delayMs = Math.min(FIRST_MS * 2 ** (failures - 1), LAST_MS);
      retryAt = failedAt + (delayMs * (1 + Math.random())) / 2;
      lastError = error;
      throw error;
    }
  };
}
