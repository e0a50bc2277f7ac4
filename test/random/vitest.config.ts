import { defineConfig } from 'vitest/config';

/** Random tests run by themselves: `npm run test:random`. */
export default defineConfig({
  test: {
    include: ['test/random/**/*.test.ts'],
    globalSetup: ['test/support/mariadb.ts'],
  },
});
