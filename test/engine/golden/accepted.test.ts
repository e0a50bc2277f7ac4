/** Every golden case that compiles is run: PostgreSQL takes its statements with the case's data. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createThrowawayDatabase,
  startTestCluster,
  type TestCluster,
} from '../../support/embedded.js';
import { fillWithSample } from '../../support/sample.js';
import { readTopics } from './cases.js';
import { catalogs, planOf } from './plans.js';
import { runPlan } from './run-plan.js';

let cluster: TestCluster;
let client: pg.Client;

beforeAll(async () => {
  cluster = await startTestCluster();
  const { connection } = await createThrowawayDatabase(cluster.connection);
  await fillWithSample(connection);
  client = new pg.Client({ ...connection, options: '-c datestyle=ISO -c timezone=UTC' });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await cluster.stop();
});

const topics = readTopics().map(({ name, cases }) => ({
  name,
  cases: cases.filter(({ error }) => error === undefined),
}));

describe.each(topics.filter(({ cases }) => cases.length > 0))('$name', ({ cases }) => {
  test.each(cases)('PostgreSQL takes $comment', async (golden) => {
    const rows = await runPlan(client, planOf(catalogs.postgresql, golden.query, golden.data));
    expect(rows).toBeInstanceOf(Array);
  });
});
