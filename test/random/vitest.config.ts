import { defineConfig } from 'vitest/config';

/** The random tests, and the cases that they found: `npm run test:random`. */
export default defineConfig({
  test: {
    include: ['test/random/**/*.test.ts'],
    globalSetup: ['test/support/mariadb.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
