import { afterAll } from 'vitest';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { fillMariadbWithSample } from '../support/mariadb-sample.js';
import { startSourcesFixture } from './sources-fixture.js';
import { sourcesSuite } from './sources-suite.js';

describeMariadb('a catalog beside PostgreSQL', () => {
  let database: MariadbDatabase | undefined;
  sourcesSuite('MariaDB', async () => {
    database = await createMariadbDatabase();
    await fillMariadbWithSample(database);
    return startSourcesFixture(database);
  });
  afterAll(() => database?.drop());
});
