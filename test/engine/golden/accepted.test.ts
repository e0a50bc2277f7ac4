/**
 * Runs every golden case that compiles: PostgreSQL must accept its statements with the data of the
 * case.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ThrowawayDatabase } from '../../support/embedded.js';
import { createSampleDatabase } from '../../support/sample.js';
import { readTopics } from './cases.js';
import { catalogs, planOf } from './plans.js';
import { runPlan } from './run-plan.js';

let database: ThrowawayDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createSampleDatabase();
  const { connection } = database;
  client = new pg.Client({ ...connection, options: '-c datestyle=ISO -c timezone=UTC' });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

const topics = readTopics().map(({ name, cases }) => ({
  name,
  cases: cases.filter(({ error }) => error === undefined),
}));

describe.each(topics.filter(({ cases }) => cases.length > 0))('$name', ({ cases }) => {
  test.each(cases)('PostgreSQL accepts $comment', async (golden) => {
    const rows = await runPlan(client, planOf(catalogs.postgresql, golden.query, golden.data));
    expect(rows).toBeInstanceOf(Array);
  });
});
