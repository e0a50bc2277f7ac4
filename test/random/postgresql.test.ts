/** Random queries and writes on PostgreSQL: see CONTRIBUTING.md, "Random tests". */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCluster, type TestCluster } from '../support/embedded.js';
import { onPostgresql } from './drive/database.js';
import { run, runMs } from './run/run.js';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startTestCluster();
});

afterAll(() => cluster.stop());

test(
  'random queries and writes are answered as an evaluation in memory answers them',
  async () => {
    const { failures } = await run(onPostgresql(cluster.connection));
    expect(failures.map(({ text }) => text).join('\n\n')).toBe('');
  },
  runMs() + 300_000,
);
