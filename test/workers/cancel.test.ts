import { afterAll, beforeAll } from 'vitest';
import { until } from '../support/program.js';
import { testCancelling } from './cancel-suite.js';
import { type Fixture, startFixture } from './fixture.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

testCancelling(
  () => fixture,
  () =>
    until('a statement runs', async () => {
      const active = await fixture.sql(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rowgate' AND state = 'active'",
      );
      return active.length > 0;
    }),
);
