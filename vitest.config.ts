import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { external, importCompiled } from './test/support/compiled.js';
import { LongestFirst } from './test/support/longest-first.js';

/** The tests that need neither a database nor a server: `npm run test:fast`. */
const fast = [
  'test/architecture.test.ts',
  'test/bench/*.test.ts',
  // The excluded ones execute statements of the engine on a database.
  'test/engine/**/!(accepted|mariadb|postgresql).test.ts',
  'test/cli/check-expressions.test.ts',
  'test/fuzz/{expressions,schema-files}.test.ts',
  'test/console/modules/*.test.ts',
  'test/http/{body-template-cache,choose-link,config,deadlines,failure-limit}.test.ts',
  'test/http/{plan-cache,plan-states,router,uws-answers,worker-link}.test.ts',
  'test/mariadb/error-codes.test.ts',
  'test/random/{constructs,evaluated}.test.ts',
  'test/workers/{alike-keys,cipher,parse-data,scan-document,split-body,worker-load}.test.ts',
  'test/workers/database/{deframer,error-response,mysql-columns,mysql-rows,postgresql-errors,row-memory}.test.ts',
  'test/workers/execute/{admission,outbox,page-cursor,plan-estimates,slow-statements}.test.ts',
  'test/workers/execute/wait-admission.test.ts',
];

/** The tests that measure times, which other tests would affect: they run after all others. */
const alone = [
  'test/engine/schema/size.test.ts',
  'test/http/new-connections.test.ts',
  'test/introspect/many-tables.test.ts',
  'test/program/{burdening-bodies,disconnects,goodput,idle-connections,overload,poison,slow-readers}.test.ts',
  'test/workers/execute/fairness.test.ts',
];

/** Random tests run separately: `npm run test:random`. The cases that they have found run here. */
const random = 'test/random/{mariadb,postgresql}.test.ts';

/** The tests that run in a browser. */
const inBrowser = ['test/console/*.test.ts', 'test/client/environments.test.ts'];

/** Long enough for a busy machine: only a test that hangs fails. */
const limits = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
};
const globalSetup = ['test/support/global-setup.ts'];
/** Files wait for more than half of their time, so there are more than twice as many as processors. */
const maxWorkers = Math.min(2 * availableParallelism() + 1, 8);

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: fast,
          exclude: alone,
          isolate: false,
          maxWorkers,
          ...limits,
        },
      },
      {
        plugins: [importCompiled],
        test: {
          name: 'servers',
          isolate: false,
          server: { deps: { external } },
          include: ['test/**/*.test.ts'],
          exclude: [...fast, ...alone, ...inBrowser, random],
          globalSetup,
          maxWorkers,
          ...limits,
        },
      },
      {
        plugins: [importCompiled],
        test: {
          name: 'console',
          server: { deps: { external } },
          include: inBrowser,
          globalSetup,
          isolate: false,
          maxWorkers,
          ...limits,
        },
      },
      {
        plugins: [importCompiled],
        test: {
          name: 'alone',
          server: { deps: { external } },
          include: alone,
          globalSetup,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          ...limits,
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
  },
});
