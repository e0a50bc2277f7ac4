/** Keeps every request from trying to reach a source that cannot be reached. */

const FIRST_MS = 20;
const LAST_MS = 500;

/**
 * Wraps an attempt that may fail. After the second failure in a row, calls fail with the same error,
 * without another attempt, for a time that doubles up to {@link LAST_MS}. Half of this time is random,
 * so that workers and instances do not all try at once. A single failure does not count, because it may
 * concern only one connection.
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
      // Attempts that started together failed together, and count as one.
      if (startedAt >= failedAt) failures += 1;
      failedAt = performance.now();
      const delayMs = failures === 1 ? 0 : Math.min(FIRST_MS * 2 ** (failures - 2), LAST_MS);
      retryAt = failedAt + (delayMs * (1 + Math.random())) / 2;
      lastError = error;
      throw error;
    }
  };
}
