import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Random tests run by themselves: `npm run test:random`. The cases that they found are run here.
    exclude: ['test/random/{postgresql,mariadb}.test.ts'],
    globalSetup: ['test/support/databases.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
