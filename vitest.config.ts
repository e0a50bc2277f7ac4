import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/mariadb.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
