import { afterAll, beforeAll } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { until } from '../support/program.js';
import { testCancelling } from '../workers/cancel-suite.js';
import { type MariadbFixture, startMariadbFixture } from './fixture.js';

describeMariadb('cancelling', () => {
  let fixture: MariadbFixture;

  beforeAll(async () => {
    fixture = await startMariadbFixture();
  });
  afterAll(() => fixture.stop());

  testCancelling(
    () => fixture,
    () =>
      until('a statement runs', async () =>
        (await fixture.connections()).some(({ isActive }) => isActive),
      ),
  );
});
