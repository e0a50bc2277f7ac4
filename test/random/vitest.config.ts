import { defineConfig } from 'vitest/config';

/** The random tests, and the cases that they found: `npm run test:random`. */
export default defineConfig({
  test: {
    include: ['test/random/**/*.test.ts'],
    // Both databases run at the same time, because their tests run for a fixed time.
    maxWorkers: 2,
    globalSetup: ['test/support/global-setup.ts'],
    // What has begun is ended when the time is over, which has taken another minute.
    testTimeout: 400_000,
    hookTimeout: 180_000,
  },
});
